import { CompanionError } from '../../contract/index.ts'
import { ROBOT_TOOLS } from '../warnings.ts'

/**
 * Letters, digits and single underscores: with `__` in a name, or `_` at its end, `name__tool` could not be told from the
 * tool of another server or Space. A letter first, because a tool's ID begins with it.
 */
const NAME = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/
const MAX_LENGTH = 64

/** Words that stand for something else where a tool's source is shown. */
const RESERVED: ReadonlySet<string> = new Set([
  'robot',
  'system',
  'local',
  'space',
  'server',
  'camera',
  'dance',
  ...ROBOT_TOOLS,
])

export const isServerName = (name: string): boolean =>
  name.length <= MAX_LENGTH && NAME.test(name) && !RESERVED.has(name.toLowerCase())

/** @throws CompanionError `server/bad-name`. */
export function requireServerName(name: string): void {
  if (!isServerName(name)) throw new CompanionError('server/bad-name', { name: name.slice(0, 100) })
}

/** Two names that differ in the case of letters only would be taken for each other. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
