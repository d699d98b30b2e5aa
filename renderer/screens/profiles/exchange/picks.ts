import { nameFault } from '../profile-name.ts'

import type { ImportCandidate } from '../../../../electron/contract/index.ts'
import type { NameFault } from '../profile-name.ts'

/** What a person chose about one profile of an import. */
export interface Pick {
  readonly take: boolean
  readonly name: string
  readonly format: 'txt' | 'profile-md'
  readonly withToolFiles: boolean
}

export function firstPick({ name, format, taken }: ImportCandidate): Pick {
  return { take: !taken, name, format: format === 'profile-md' ? 'profile-md' : 'txt', withToolFiles: false }
}

/** What is wrong with the name of one, beside the profiles that are there and the others of this import. */
export function pickFault(key: string, picks: ReadonlyMap<string, Pick>, taken: readonly string[]): NameFault | null {
  const pick = picks.get(key)
  if (!pick?.take) return null
  const others = [...picks].filter(([other, { take }]) => other !== key && take).map(([, { name }]) => name)
  return nameFault(pick.name, [...taken, ...others])
}
