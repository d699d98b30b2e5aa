import type { Log } from '../contract/index.ts'

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on'])
const NO: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off'])

/**
 * `AUTOLOAD_EXTERNAL_TOOLS` as the robot's conversation app reads it: on for 1, true, yes, on; anything that is neither a yes
 * nor a no is told and taken for a no (`reachy_mini_conversation_app/config.py`).
 */
export function autoloads(value: string | undefined, log: Pick<Log, 'warn'>): boolean {
  const word = value?.trim().toLowerCase() ?? ''
  if (YES.has(word)) return true
  if (word !== '' && !NO.has(word)) {
    log.warn('AUTOLOAD_EXTERNAL_TOOLS is neither yes nor no and counts as no', { value: word.slice(0, 40) })
  }
  return false
}
