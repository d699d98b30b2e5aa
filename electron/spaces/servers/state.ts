import { entriesOf, entryJson, readServersFile, targetHash, writeServersFile } from './file.ts'
import { sameName } from './names.ts'
import { readPins } from './pins.ts'

import type { Problem } from '../../contract/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { ServerEntry, ServersFile } from './file.ts'
import type { ServerPins } from './pins.ts'

export interface ServerFiles {
  readonly servers: string
  readonly pins: string
}

/** Both files, read together. */
export interface ServersState extends ServersFile {
  readonly pins: readonly ServerPins[]
  /** Our own file is broken and is set aside at the next write; nothing counts as approved. */
  readonly pinsBroken: boolean
}

type Read = (path: string) => Promise<{ readonly bytes: Uint8Array } | null>

/** @param read of the disk, or of a transaction */
export async function readState(read: Read, files: ServerFiles): Promise<ServersState> {
  const [serversFile, pinsFile] = await Promise.all([read(files.servers), read(files.pins)])
  const servers = readServersFile(serversFile?.bytes ?? null, files.servers)
  const pins = readPins(pinsFile?.bytes ?? null)
  const newer: Problem | null =
    pins.state === 'newer' ? { code: 'manifest/newer', details: { file: files.pins, version: pins.version } } : null
  return {
    ...servers,
    readOnly: servers.readOnly ?? newer,
    pins: pins.state === 'ok' ? pins.value.servers : [],
    pinsBroken: pins.state === 'broken' || pins.state === 'newer',
  }
}

export const entryOf = (state: Pick<ServersState, 'items'>, name: string): ServerEntry | undefined =>
  entriesOf(state.items).find((entry) => sameName(entry.name, name))

/** `undefined`: another program wrote the server into the file, and nobody here has looked at it. */
export function pinsOf(state: Pick<ServersState, 'pins' | 'pinsBroken'>, name: string): ServerPins | undefined {
  if (state.pinsBroken) {
    return { name, target: '', serverName: '', approvedAt: '', tools: [], rejected: [], gone: [] }
  }
  return state.pins.find((pins) => sameName(pins.name, name))
}

/**
 * Why a server is not used. A program that was written or changed outside of the app is not started, nor a changed address
 * contacted, before a person has looked at it here: whoever writes the file would choose what runs on this computer, or
 * where a token goes.
 *
 * @param aliases of the installed Spaces
 */
export function problemOf(
  entry: ServerEntry,
  state: Pick<ServersState, 'pins' | 'pinsBroken'>,
  aliases: readonly string[],
): Problem | undefined {
  if (entry.problem !== undefined) return entry.problem
  const alias = aliases.find((one) => sameName(one, entry.name))
  if (alias !== undefined) {
    return { code: 'server/exists', details: { name: entry.name, reason: 'a Space has this name' } }
  }
  const pins = pinsOf(state, entry.name)
  const known =
    pins === undefined
      ? entry.target.kind === 'http' && entry.target.tokenEnv === undefined
      : pins.target === targetHash(entry.target)
  return known ? undefined : { code: 'server/changed-outside', details: { name: entry.name } }
}

export interface StateChange {
  /** The entry under this name, new or in the place of the old one; `null` removes it. */
  readonly name: string
  readonly entry: ServerEntry | null
  readonly pins: ServerPins | null
}

/** Queues the new state. Everything that the change is not about stays in the file as it was read. */
export function writeState(tx: Transaction, files: ServerFiles, before: ServersState, change: StateChange): void {
  const isIt = (name: string): boolean => sameName(name, change.name)
  let placed = false
  const servers = before.items.flatMap((item) => {
    if ('bad' in item) {
      // Removing a name removes what bears it, readable or not; a bad neighbour of a good entry stays.
      return change.entry === null && isIt(item.bad.label) ? [] : [item.bad.raw]
    }
    if (!isIt(item.entry.name)) return [item.entry.raw]
    placed = true
    return change.entry === null ? [] : [entryJson(change.entry)]
  })
  if (!placed && change.entry !== null) servers.push(entryJson(change.entry))
  const others = before.pins.filter(({ name }) => !isIt(name))
  const pins = change.pins === null ? others : [...others, change.pins]
  tx.write(files.servers, writeServersFile(servers, before.extra), { keepBackup: true })
  tx.write(files.pins, `${JSON.stringify({ version: 1, servers: pins }, null, 2)}\n`)
}
