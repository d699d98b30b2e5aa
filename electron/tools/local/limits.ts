import type { LocalLimits } from './types.ts'

export const LOCAL_LIMITS: LocalLimits = {
  startMs: 20_000,
  // As for tools of Spaces: a minute, up to five with progress.
  callMs: 60_000,
  longestMs: 300_000,
  graceMs: 2_000,
  idleMs: 300_000,
  answerBytes: 4_000_000,
  fileBytes: 1_000_000,
  heap: 512,
}
