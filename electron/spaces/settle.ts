import { plainText } from '../mcp/index.ts'

import { aliasOf } from './alias.ts'
import { hashOf } from './canonical-json.ts'
import { changeOf, goneTools } from './judge.ts'
import { contentHash, listingHash, pinOf, textsOf } from './pins.ts'

import type { InstallResult, JsonValue } from '../contract/index.ts'
import type { JudgedTool } from './judge.ts'
import type { ManifestEntry, ManifestTool } from './manifest.ts'
import type { OtherTool, SpacePins, ToolPin } from './pins.ts'

/** What a server lists now, to be settled with what was approved. */
export interface SettleRequest {
  readonly slug: string
  readonly official: boolean
  readonly mcpUrl: string
  readonly private: boolean
  readonly tools: readonly JudgedTool[]
  readonly before: ManifestEntry | undefined
  readonly pins: SpacePins | undefined
  /** A person looked at the whole list; else what is new or gone waits for one. */
  readonly seen: boolean
  /** The person has seen the changes and took them. */
  readonly acceptChanges: boolean
  /** IDs of the tools that the person said yes to. */
  readonly consented: ReadonlySet<string>
  /** ISO 8601. */
  readonly date: string
  /** What else is known of the Space; kept when left out. */
  readonly about?: Pick<SpacePins, 'title' | 'emoji' | 'gradio'>
  /** Gradio's names of the functions by remote name, where known. */
  readonly endpointNames?: ReadonlyMap<string, string>
}

export interface Settled {
  readonly entry: ManifestEntry
  readonly pins: SpacePins
  readonly changes: InstallResult['changes']
  /** Whether anything has to be written. */
  readonly differs: boolean
}

/** A server that invents names for ever must not fill the disk. */
const MAX_GONE = 200

/**
 * The entry and the pins after a look at what a server lists. A changed tool keeps its approved words in the manifest, where
 * other programs read them, until the change is taken; a new one enters without anybody's consent; a tool that is gone keeps
 * its pin, so that it can only come back as it was.
 */
export function settleListing(request: SettleRequest): Settled {
  const { slug, tools, before, pins } = request
  const usable = tools.flatMap((tool) => (tool.manifest === null ? [] : [settleTool(request, tool, tool.manifest)]))
  const entry: ManifestEntry = {
    slug,
    alias: aliasOf(slug),
    mcpUrl: request.mcpUrl,
    private: request.private,
    tools: usable.map(({ tool }) => tool),
  }
  const goneNow = goneTools(tools, before)
  const next = settledPins(request, new Map(usable.map(({ tool, pin }) => [tool.remoteName, pin])), goneNow)
  const idsThatAre = (change: 'new' | 'changed'): string[] =>
    usable.flatMap((one) => (one.change === change && one.fresh ? [one.tool.id] : []))
  return {
    entry,
    pins: next,
    changes: {
      added: idsThatAre('new'),
      removed: goneNow.flatMap(({ id }) => (id === null ? [] : [id])),
      changed: idsThatAre('changed'),
    },
    differs:
      before === undefined ||
      pins === undefined ||
      before.alias !== entry.alias ||
      fingerprint([before.mcpUrl, before.private, before.tools]) !==
        fingerprint([entry.mcpUrl, entry.private, entry.tools]) ||
      fingerprint(pins) !== fingerprint(next),
  }
}

const fingerprint = (value: unknown): string => hashOf(JSON.parse(JSON.stringify(value)) as JsonValue)

interface SettledTool {
  readonly tool: ManifestTool
  readonly pin: ToolPin
  readonly change: 'new' | 'changed' | 'same'
  /** Not known from an earlier look. */
  readonly fresh: boolean
}

function settleTool(request: SettleRequest, judged: JudgedTool, listed: ManifestTool): SettledTool {
  const { before, pins, seen, acceptChanges, date } = request
  const old = pinOf(pins, judged.remoteName)
  const installed = before?.tools.find(({ remoteName }) => remoteName === judged.remoteName)
  const change = changeOf(judged, before, pins)
  const latest = listingHash(judged.raw)
  const endpointName = request.endpointNames?.get(judged.remoteName) ?? old?.endpointName
  const lasting = endpointName === undefined ? {} : { endpointName }

  if (change === 'changed' && !acceptChanges) {
    const known = old?.latest === latest && old.offered !== undefined
    const pin: ToolPin = {
      approved: old?.approved ?? '',
      latest,
      content: old?.content ?? '',
      approvedAt: old?.approvedAt ?? '',
      ...(old?.consented === true ? { consented: true } : {}),
      ...(old?.texts === undefined ? {} : { texts: old.texts }),
      offered: {
        description: listed.description,
        parameters: listed.parameters,
        ...(isDestructive(judged.raw) ? { destructive: true } : {}),
      },
      seenAt: known ? (old.seenAt ?? date) : date,
      ...(old?.keptOff === undefined ? {} : { keptOff: old.keptOff }),
      ...(old?.destructive === true ? { destructive: true } : {}),
      ...lasting,
    }
    return { tool: installed ?? withTexts(listed, old), pin, change, fresh: seen || !known }
  }

  const consented = request.consented.has(listed.id) || (change === 'same' && old?.consented === true)
  const waits = change === 'new' && !seen
  const pin: ToolPin = {
    approved: latest,
    latest,
    content: contentHash(listed),
    approvedAt: old !== undefined && (old.approved === latest || old.latest === '') ? old.approvedAt : date,
    ...(consented ? { consented: true } : {}),
    texts: textsOf(listed),
    ...(waits ? { seenAt: old?.seenAt ?? date, added: true } : {}),
    ...(isDestructive(judged.raw) ? { destructive: true } : {}),
    ...lasting,
  }
  return { tool: listed, pin, change, fresh: seen || old?.added !== true }
}

/** A tool that was gone and came back as another is listed with the words that were approved, where those are known. */
const withTexts = (listed: ManifestTool, old: ToolPin | undefined): ManifestTool =>
  old?.texts === undefined ? listed : { ...listed, ...old.texts }

function settledPins(
  request: SettleRequest,
  usable: ReadonlyMap<string, ToolPin>,
  goneNow: readonly OtherTool[],
): SpacePins {
  const { slug, tools, pins, seen, date } = request
  const listed = new Set(tools.map(({ remoteName }) => remoteName))
  const since = goneNow.map((tool): OtherTool => ({ ...tool, seenAt: date }))
  const gone = [...new Map([...(pins?.gone ?? []), ...since].map((tool) => [tool.remoteName, tool])).values()]
    .filter(({ remoteName }) => !listed.has(remoteName))
    .slice(-MAX_GONE)
    .map((tool): OtherTool => (seen ? { ...tool, told: true } : tool))
  const rejected = tools.filter(({ manifest, problem }) => manifest === null && problem !== undefined)
  const remembered = new Set([...gone, ...rejected].map(({ remoteName }) => remoteName))
  const asleep = Object.entries(pins?.tools ?? {}).filter(([name]) => !usable.has(name) && remembered.has(name))
  const about = { ...pins, ...request.about }
  return {
    publisher: slug.split('/')[0] ?? '',
    official: request.official,
    approvedAt: seen ? date : (pins?.approvedAt ?? date),
    tools: Object.fromEntries([...usable, ...asleep]),
    rejected: rejected.flatMap(rejectedTool),
    gone,
    ...(about.title === undefined ? {} : { title: about.title }),
    ...(about.emoji === undefined ? {} : { emoji: about.emoji }),
    ...(about.gradio === undefined ? {} : { gradio: about.gradio }),
    mcpUrl: request.mcpUrl,
    private: request.private,
  }
}

function rejectedTool({ id, remoteName, description, problem }: JudgedTool): OtherTool[] {
  if (problem === undefined) return []
  return [{ id, remoteName: plainText(remoteName, 200), description: plainText(description, 4_000), problem }]
}

/** What the server says of itself; it can only make the app more careful (Model Context Protocol, tool annotations). */
function isDestructive(raw: JsonValue): boolean {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return false
  const { annotations } = raw
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return false
  return annotations.destructiveHint === true
}
