/** What to do when a page's process is gone. */
export type CrashStep = 'reload' | 'ask' | 'ignore'

/** Crashes further apart than this are told as separate accidents. */
const WINDOW_MS = 60_000

/**
 * One reload by itself, then a person decides: a page that crashes at once would otherwise be reloaded for ever.
 * @param reason Electron's `RenderProcessGoneDetails.reason`
 * @param earlier times of earlier crashes, ms
 */
export function crashStep(reason: string, earlier: readonly number[], now: number): CrashStep {
  if (reason === 'clean-exit') return 'ignore'
  return earlier.some((time) => now - time < WINDOW_MS) ? 'ask' : 'reload'
}
