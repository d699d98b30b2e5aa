import { PROFILE_NAME } from '../../../electron/contract/constants.ts'

export type NameFault = 'empty' | 'long' | 'characters' | 'exists' | 'device'

const MAX_NAME = 64
/** Names that open devices on Windows; the main process refuses them too. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

/** What is wrong with the name of a new profile; `null`: nothing that can be seen here. Case makes no second name. */
export function nameFault(name: string, taken: readonly string[]): NameFault | null {
  if (name === '') return 'empty'
  if (name.length > MAX_NAME) return 'long'
  if (!PROFILE_NAME.test(name)) return 'characters'
  if (DEVICE_NAME.test(name)) return 'device'
  return taken.some((other) => other.toLowerCase() === name.toLowerCase()) ? 'exists' : null
}

/** A name for a copy that is not taken. */
export function copyName(name: string, taken: readonly string[]): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${name.slice(0, MAX_NAME - 4)}_${number}`
    if (nameFault(candidate, taken) === null) return candidate
  }
}
