import { differenceOf, moveOf, pinOf } from './pins.ts'

import type { InstalledSpace, JsonObject } from '../contract/index.ts'
import type { ManifestEntry } from './manifest.ts'
import type { OtherTool, SpacePins, ToolPin } from './pins.ts'

interface Texts {
  readonly description: string
  readonly parameters: JsonObject
}

/** One tool that is not as it was approved. */
export interface Difference {
  readonly kind: 'changed' | 'added' | 'gone' | 'renamed'
  readonly id: string
  readonly remoteName: string
  /** `renamed`: the tool that is gone and whose place this one may take. */
  readonly former?: { readonly id: string; readonly remoteName: string }
  readonly before?: Texts
  readonly after?: Texts
  /** ISO 8601; empty: nobody saw when. */
  readonly seenAt: string
  /** A person has decided: kept off, or was told that it is gone. */
  readonly decided: boolean
}

/**
 * What differs between an installed Space and its approval, from what is stored alone.
 *
 * A tool that is gone and a new one that Gradio runs by the same function (`endpoint_name` of `/gradio_api/mcp/schema`) are
 * one tool with another name: the rules by which Gradio makes names changed more than once.
 */
export function differencesOf(entry: ManifestEntry, pins: SpacePins | undefined): Difference[] {
  if (pins === undefined) return []
  const gone = pins.gone.filter(({ id }) => id !== null && !entry.tools.some((tool) => tool.id === id))
  const former = formerNames(entry, pins, gone)
  const taken = new Set(former.values())
  return [
    ...entry.tools.flatMap((tool): Difference[] => {
      const { id, remoteName } = tool
      const pin = pinOf(pins, remoteName)
      const hash = differenceOf(tool, pin)
      if (hash !== null) {
        const before = pin?.texts
        const after = pin?.offered ?? tool
        const decided = pin?.keptOff === hash
        const seenAt = pin?.seenAt ?? pin?.approvedAt ?? ''
        return [{ kind: 'changed', id, remoteName, ...(before ? { before } : {}), after: only(after), seenAt, decided }]
      }
      if (pin?.added !== true) return []
      const seenAt = pin.seenAt ?? pin.approvedAt
      const old = former.get(remoteName)
      if (old === undefined || old.id === null)
        return [{ kind: 'added', id, remoteName, after: only(tool), seenAt, decided: false }]
      const before = textsBefore(old, pinOf(pins, old.remoteName))
      const names = { id: old.id, remoteName: old.remoteName }
      return [{ kind: 'renamed', id, remoteName, former: names, ...before, after: only(tool), seenAt, decided: false }]
    }),
    ...gone.flatMap((tool): Difference[] => {
      const { id, remoteName, seenAt = '', told = false } = tool
      if (id === null || taken.has(tool)) return []
      const before = textsBefore(tool, pinOf(pins, remoteName))
      // Files of older versions do not say since when; then a person was told by the list itself.
      return [{ kind: 'gone', id, remoteName, ...before, seenAt, decided: told || seenAt === '' }]
    }),
  ]
}

const only = ({ description, parameters }: Texts): Texts => ({ description, parameters })

const textsBefore = (tool: OtherTool, pin: ToolPin | undefined): { before: Texts } => ({
  before: pin?.texts ?? { description: tool.description, parameters: {} },
})

/** For each new remote name the tool that is gone and has the same function; a pair only where it is unambiguous. */
function formerNames(entry: ManifestEntry, pins: SpacePins, gone: readonly OtherTool[]): Map<string, OtherTool> {
  const added = entry.tools.flatMap(({ remoteName }) => {
    const pin = pinOf(pins, remoteName)
    return pin?.added === true && pin.endpointName !== undefined ? [{ remoteName, endpoint: pin.endpointName }] : []
  })
  const former = new Map<string, OtherTool>()
  for (const { remoteName, endpoint } of added) {
    const olds = gone.filter((tool) => pinOf(pins, tool.remoteName)?.endpointName === endpoint)
    const [old] = olds
    if (olds.length === 1 && old !== undefined && added.filter((one) => one.endpoint === endpoint).length === 1)
      former.set(remoteName, old)
  }
  return former
}

/** What waits for a decision, as the snapshot tells it; `undefined` when nothing does. */
export function pendingOf(entry: ManifestEntry, pins: SpacePins | undefined): InstalledSpace['review'] {
  const move = moveOf(entry, pins)
  const waiting = differencesOf(entry, pins).filter(({ decided }) => !decided)
  const moved = move !== null && !move.keptOff
  if (!moved && waiting.length === 0) return undefined
  const idsOf = (...kinds: readonly Difference['kind'][]): string[] =>
    waiting.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  const dates = [...waiting.map(({ seenAt }) => seenAt), ...(moved ? [move.seenAt ?? ''] : [])].map(timeOf)
  return {
    // With another address nothing of the Space is as approved.
    changed: moved ? entry.tools.map(({ id }) => id) : idsOf('changed'),
    added: moved ? [] : idsOf('added', 'renamed'),
    gone: idsOf('gone'),
    since: Math.min(...dates.map((time) => time ?? timeOf(pins?.approvedAt ?? '') ?? 0)),
  }
}

/** Milliseconds since 1970, or `null` for what is no date. */
export function timeOf(iso: string): number | null {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? null : time
}
