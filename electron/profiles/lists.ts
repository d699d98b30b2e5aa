/** The lists of tools, for rooms that change them inside a transaction of their own. */
import { disableTools, editable, enableTools, isWritableFolder, readInside, renameListed } from './edit.ts'
import { readFiles } from './profile-files.ts'
import { placeOf } from './roots.ts'
import { toolIds } from './tools-file.ts'

import type { Log } from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Editable, ListChange } from './edit.ts'
import type { Reading } from './reading.ts'
import type { Profiles } from './types.ts'

type Lists = Pick<Profiles, 'enableIn' | 'disableIn' | 'disableEverywhere' | 'renameEverywhere' | 'usesOf'>

export function createLists(deps: { reading: Reading; userRoot: string; log: Log }): Lists {
  const { reading, userRoot, log } = deps

  async function open(tx: Transaction, name: string): Promise<{ profile: Editable; inherited: string }> {
    const listing = await reading.list()
    const profile = await editable(tx, placeOf(name, listing), userRoot)
    return { profile, inherited: (await reading.defaults(listing)).toolsText }
  }

  /** Edits every tools.txt that can be written, shipped ones by copying; others are logged. @returns IDs by profile. */
  async function inEachList(
    tx: Transaction,
    edit: (profile: Editable) => Promise<ListChange>,
  ): Promise<Record<string, string[]>> {
    const result: Record<string, string[]> = {}
    for (const place of (await reading.list()).places) {
      const profile = await editable(tx, place, userRoot)
      const tools = await readInside(tx, profile, 'tools.txt')
      if (tools.state === 'absent') continue
      if (tools.state !== 'ok' || (place.source !== 'shipped' && !(await isWritableFolder(place.dir)))) {
        log.warn('a tools.txt that cannot be written was left as it is', { profile: place.name, path: place.dir })
        continue
      }
      const { ids } = await edit(profile)
      if (ids.length > 0) result[place.name] = ids
    }
    return result
  }

  return {
    async enableIn(tx, name, ids) {
      const { profile, inherited } = await open(tx, name)
      const { ids: added, path: file } = await enableTools(tx, profile, ids, inherited)
      return { added, path: file }
    },
    async disableIn(tx, name, ids) {
      const { profile, inherited } = await open(tx, name)
      const { ids: removed, path: file } = await disableTools(tx, profile, (id) => ids.includes(id), inherited)
      return { removed, path: file }
    },
    disableEverywhere: (tx, matches) => inEachList(tx, (profile) => disableTools(tx, profile, matches, '')),
    renameEverywhere: (tx, names) => inEachList(tx, (profile) => renameListed(tx, profile, names)),
    async usesOf(matches) {
      const uses = await Promise.all(
        (await reading.list()).places.map(async (place) => {
          const { 'tools.txt': tools } = await readFiles(place)
          return [place.name, tools.state === 'ok' ? toolIds(tools.text).filter(matches) : []] as const
        }),
      )
      return Object.fromEntries(uses.filter(([, ids]) => ids.length > 0))
    },
  }
}
