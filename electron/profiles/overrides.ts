/** The list of tools that the robot's app keeps for a profile beside it goes along when the profile moves or goes. */
import path from 'node:path'

import { editToolsets, parseToolsets } from './formats/toolsets.ts'
import { readTextFile } from './text-file.ts'

import type { Transaction } from '../storage/index.ts'
import type { Place } from './roots.ts'

type Owner = Pick<Place, 'name' | 'toolsets'>

/**
 * Takes the list away, and gives it to the profile `to` if there is one.
 * @returns the list; `undefined` where there is none, or in a file that cannot be read, which stays as it is.
 */
export async function moveOverride(
  tx: Transaction,
  { name, toolsets }: Owner,
  to: string | null,
): Promise<readonly string[] | undefined> {
  const text = toolsets === undefined ? null : await textIn(tx, toolsets.file)
  if (toolsets === undefined || text === null) return undefined
  const { lists, writable } = parseToolsets(text)
  const list = lists.get(toolsets.prefix + name)
  if (!writable || list === undefined) return undefined
  const changes = new Map<string, readonly string[] | null>([[toolsets.prefix + name, null]])
  if (to !== null) changes.set(toolsets.prefix + to, list)
  tx.write(toolsets.file, editToolsets(text, changes), { keepBackup: true })
  return list
}

/** Gives the list of one profile to another too, perhaps in another file. */
export async function copyOverride(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  const text = from.toolsets === undefined ? null : await textIn(tx, from.toolsets.file)
  if (from.toolsets === undefined || text === null) return
  const list = parseToolsets(text).lists.get(from.toolsets.prefix + from.name)
  if (list !== undefined) await putOverride(tx, to, list)
}

/** Gives a list back that {@link moveOverride} took away. */
export async function putOverride(tx: Transaction, { name, toolsets }: Owner, list: readonly string[]): Promise<void> {
  if (toolsets === undefined) return
  const text = await textIn(tx, toolsets.file)
  if (text !== null && !parseToolsets(text).writable) return
  tx.write(toolsets.file, editToolsets(text, new Map([[toolsets.prefix + name, list]])), { keepBackup: true })
}

/** `null` for no file, and for one that is no text or lies somewhere else. */
async function textIn(tx: Transaction, file: string): Promise<string | null> {
  const found = await readTextFile(file, path.dirname(file))
  const content = found.state === 'ok' ? await tx.read(file) : null
  return content === null ? null : new TextDecoder().decode(content.bytes)
}
