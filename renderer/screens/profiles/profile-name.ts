import { PROFILE_NAME } from '../../../electron/contract/constants.ts'

export type NameFault = 'empty' | 'long' | 'characters' | 'exists'

const MAX_NAME = 64

/** What is wrong with the name of a new profile; `null`: nothing that can be seen here. */
export function nameFault(name: string, taken: readonly string[]): NameFault | null {
  if (name === '') return 'empty'
  if (name.length > MAX_NAME) return 'long'
  if (!PROFILE_NAME.test(name)) return 'characters'
  return taken.includes(name) ? 'exists' : null
}
