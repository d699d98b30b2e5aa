import { CompanionError } from '../contract/index.ts'

import { aliasOf } from './alias.ts'
import { differencesOf } from './differences.ts'
import { contentHash, differenceOf, moveOf, pinOf, textsOf } from './pins.ts'

import type { ManifestEntry, ManifestTool } from './manifest.ts'
import type { Move, SpacePins, ToolPin } from './pins.ts'

export interface Decision {
  /** IDs of tools; the slug itself for the Space's address, name or visibility. */
  readonly approve: readonly string[]
  readonly keepOff: readonly string[]
}

export interface Decided {
  readonly entry: ManifestEntry
  readonly pins: SpacePins
  /** IDs by the one that takes their place in every profile. */
  readonly renamed: ReadonlyMap<string, string>
}

/**
 * The Space after a person decided. An approved change enters the manifest and is approved from now on; what is kept off
 * stays withheld and is asked about again only when it changes once more. What is gone counts as told.
 *
 * @param date ISO 8601
 * @throws CompanionError `tools/unknown` for an ID that does not differ.
 */
export function decideOn(entry: ManifestEntry, pins: SpacePins, decision: Decision, date: string): Decided {
  const approve = new Set(decision.approve)
  const keepOff = new Set(decision.keepOff.filter((id) => !approve.has(id)))
  const differences = differencesOf(entry, pins)
  const move = moveOf(entry, pins)
  const known = new Set([...differences.map(({ id }) => id), ...(move === null ? [] : [entry.slug])])
  const unknown = [...approve, ...keepOff].find((id) => !known.has(id))
  if (unknown !== undefined) throw new CompanionError('tools/unknown', { id: unknown })

  const tools = new Map(entry.tools.map((tool) => [tool.id, tool]))
  const next = new Map(Object.entries(pins.tools))
  const renamed = new Map<string, string>()
  for (const difference of differences) {
    const tool = tools.get(difference.id)
    if (tool === undefined) continue
    const pin = pinOf(pins, difference.remoteName)
    if (approve.has(difference.id)) {
      const taken = difference.kind === 'changed' ? approveChange(tool, pin, date) : approveNew(tool, pin, date)
      tools.set(tool.id, taken.tool)
      next.set(tool.remoteName, taken.pin)
      if (difference.former !== undefined) {
        renamed.set(difference.former.id, tool.id)
        next.delete(difference.former.remoteName)
      }
    } else if (keepOff.has(difference.id)) next.set(tool.remoteName, keptOff(tool, pin))
  }
  const replaced = new Set(renamed.keys())
  const decided: Decided = {
    entry: { ...entry, tools: entry.tools.map((tool) => tools.get(tool.id) ?? tool) },
    pins: {
      ...pins,
      tools: Object.fromEntries(next),
      gone: pins.gone.filter(({ id }) => id === null || !replaced.has(id)).map((tool) => ({ ...tool, told: true })),
    },
    renamed,
  }
  if (move === null) return decided
  if (approve.has(entry.slug)) return moveTo(decided, move)
  const { moved } = pins
  const stays: SpacePins['moved'] = moved ?? { mcpUrl: move.mcpUrl, private: move.private, seenAt: move.seenAt ?? date }
  return keepOff.has(entry.slug)
    ? { ...decided, pins: { ...decided.pins, moved: { ...stays, keptOff: true } } }
    : decided
}

type Taken = { readonly tool: ManifestTool; readonly pin: ToolPin }

function approveChange(tool: ManifestTool, pin: ToolPin | undefined, date: string): Taken {
  const edited = pin === undefined || pin.latest === pin.approved
  const offered = edited ? undefined : pin.offered
  const now: ManifestTool =
    offered === undefined ? tool : { ...tool, description: offered.description, parameters: offered.parameters }
  // Words that another program wrote are no listing: the next one with the same content is taken for them.
  const listed = edited || offered === undefined ? '' : pin.latest
  return { tool: now, pin: approvedPin(now, listed, offered?.destructive === true, pin, date) }
}

const approveNew = (tool: ManifestTool, pin: ToolPin | undefined, date: string): Taken => ({
  tool,
  pin: approvedPin(tool, pin?.latest ?? '', pin?.destructive === true, pin, date),
})

const approvedPin = (
  tool: ManifestTool,
  listed: string,
  destructive: boolean,
  old: ToolPin | undefined,
  date: string,
): ToolPin => ({
  approved: listed,
  latest: listed,
  content: contentHash(tool),
  approvedAt: date,
  consented: true,
  texts: textsOf(tool),
  ...(destructive ? { destructive: true } : {}),
  ...(old?.endpointName === undefined ? {} : { endpointName: old.endpointName }),
})

/** A new tool that is kept off is merely not switched on; a changed one stays withheld. */
function keptOff(tool: ManifestTool, pin: ToolPin | undefined): ToolPin {
  if (pin === undefined) return { approved: '', latest: '', content: '', approvedAt: '', keptOff: contentHash(tool) }
  const { added: _, seenAt, ...rest } = pin
  const difference = differenceOf(tool, pin)
  return difference === null ? rest : { ...rest, ...(seenAt === undefined ? {} : { seenAt }), keptOff: difference }
}

/** Everything under the new name: aliases are made of slugs, so every ID gets another beginning. */
function moveTo(decided: Decided, move: Move): Decided {
  const { entry, pins } = decided
  const slug = move.slug ?? entry.slug
  const alias = aliasOf(slug)
  const under = (id: string): string =>
    id.startsWith(`${entry.alias}__`) ? `${alias}${id.slice(entry.alias.length)}` : id
  const tools = entry.tools.map((tool) => ({ ...tool, id: under(tool.id), clientName: under(tool.clientName) }))
  const renamed = new Map([...decided.renamed].map(([from, to]) => [from, under(to)]))
  for (const { id } of entry.tools) if (under(id) !== id) renamed.set(id, under(id))
  const { moved: _, ...rest } = pins
  const moveOther = <T extends { id: string | null }>(tool: T): T =>
    tool.id === null ? tool : { ...tool, id: under(tool.id) }
  return {
    entry: { ...entry, slug, alias, mcpUrl: move.mcpUrl, private: move.private, tools },
    pins: {
      ...rest,
      publisher: slug.split('/')[0] ?? '',
      rejected: rest.rejected.map(moveOther),
      gone: rest.gone.map(moveOther),
      mcpUrl: move.mcpUrl,
      private: move.private,
    },
    renamed,
  }
}
