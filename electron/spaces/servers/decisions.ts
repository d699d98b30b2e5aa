import { CompanionError } from '../../contract/index.ts'

import { entriesOf, targetHash } from './file.ts'
import { approvedPin, changeOf } from './listing.ts'
import { pinOf, withheld } from './pins.ts'
import { entryOf, pinsOf, problemOf } from './state.ts'

import type { ServerEntry } from './file.ts'
import type { JudgedTool } from './listing.ts'
import type { ServerPins } from './pins.ts'
import type { ServersState } from './state.ts'
import type { ServerTool } from './types.ts'

/** Pins of a server that has none: nothing in it is approved. */
export const blankPins = (entry: ServerEntry, date: string): ServerPins => ({
  name: entry.name,
  target: targetHash(entry.target),
  serverName: '',
  approvedAt: date,
  tools: [],
  rejected: [],
  gone: [],
})

/** Pins after a person looked at what changed. What is in neither list stays undecided. */
export function decidedPins(
  entry: ServerEntry,
  pins: ServerPins,
  decision: { readonly approve: readonly string[]; readonly keepOff: readonly string[] },
  date: string,
): ServerPins {
  const seen = new Set([...decision.approve, ...decision.keepOff])
  const tools = entry.tools.flatMap((tool) => {
    const pin = pinOf(pins, tool.remoteName)
    if (pin === undefined) return []
    if (decision.approve.includes(tool.id)) return [approvedPin(tool, { ...pin, approvedAt: date, consented: true })]
    return [decision.keepOff.includes(tool.id) ? { ...pin, keptOff: pin.latest } : pin]
  })
  const gone = pins.gone.map((tool) => (tool.id !== null && seen.has(tool.id) ? { ...tool, seen: true } : tool))
  const { since, ...rest } = { ...pins, tools, gone }
  const isOpen =
    gone.some((tool) => tool.seen !== true) || entry.tools.some((tool) => withheld(tool, rest) !== undefined)
  return isOpen && since !== undefined ? { ...rest, since } : rest
}

/** Pins after a person allowed one tool for good. */
export const consentedPins = (entry: ServerEntry, pins: ServerPins, id: string): ServerPins => {
  const remoteName = entry.tools.find((tool) => tool.id === id)?.remoteName
  return {
    ...pins,
    tools: pins.tools.map((pin) => (pin.remoteName === remoteName ? { ...pin, consented: true } : pin)),
  }
}

/** Whether a listing is what is written and pinned already, so that nothing needs to be written. */
export function isAsKnown(judged: readonly JudgedTool[], entry: ServerEntry, pins: ServerPins | undefined): boolean {
  if (pins === undefined) return false
  const usable = judged.filter(({ tool }) => tool !== null)
  return usable.length === entry.tools.length && usable.every((one) => changeOf(one, { entry, pins }) === 'same')
}

/** @throws CompanionError `tools/no-longer-offered`, `server/changed`: why a tool is not to be called. */
export function requireOffered(state: ServersState, name: string, remoteName: string): void {
  const tool = entryOf(state, name)?.tools.find((one) => one.remoteName === remoteName)
  if (tool === undefined) throw new CompanionError('tools/no-longer-offered', { id: remoteName })
  const problem = withheld(tool, pinsOf(state, name))
  if (problem !== undefined) throw new CompanionError(problem.code, problem.details ?? {})
}

/** Tools that may be offered to a model, in the order of the file. */
export function offeredTools(state: ServersState, aliases: readonly string[]): ServerTool[] {
  return entriesOf(state.items)
    .filter((entry) => problemOf(entry, state, aliases) === undefined)
    .flatMap((entry) => {
      const pins = pinsOf(state, entry.name)
      return entry.tools
        .filter((tool) => withheld(tool, pins) === undefined)
        .map(({ id, remoteName, description, parameters }) => ({
          id,
          server: entry.name,
          remoteName,
          description,
          parameters,
          consented: pinOf(pins, remoteName)?.consented ?? false,
          runsHere: entry.target.kind === 'stdio',
          destructive: pinOf(pins, remoteName)?.destructive ?? false,
        }))
    })
}
