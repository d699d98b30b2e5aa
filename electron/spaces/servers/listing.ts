import { CompanionError } from '../../contract/index.ts'
import { plainText } from '../../mcp/index.ts'
import { hasUsableName, nameTools } from '../ids.ts'
import { contentHash, listingHash } from '../pins.ts'
import { ROBOT_TOOLS, warningsFor } from '../warnings.ts'

import { pinOf, withheld } from './pins.ts'

import type { JsonValue, PreviewTool, Problem } from '../../contract/index.ts'
import type { ListedTool } from '../../mcp/index.ts'
import type { ToolNames } from '../ids.ts'
import type { ManifestTool } from '../manifest.ts'
import type { ServerEntry } from './file.ts'
import type { OtherTool, ServerPins, ToolPin } from './pins.ts'

/** One listed tool with its names; `tool` is what the file will hold, `null` for one that cannot be used. */
export interface JudgedTool {
  readonly id: string | null
  readonly remoteName: string
  readonly description: string
  readonly raw: JsonValue
  readonly tool: ManifestTool | null
  readonly problem?: Problem
}

/** What is known of a server before a listing is looked at. */
export interface Known {
  readonly entry: Pick<ServerEntry, 'name' | 'tools'>
  readonly pins: ServerPins | undefined
}

/** Gives the tools of a listing their IDs, `name__tool`. Tools that had one keep it, also those that were gone for a time. */
export function judge({ entry, pins }: Known, listed: readonly ListedTool[]): JudgedTool[] {
  const nameable = listed.filter(({ remoteName }) => hasUsableName(remoteName)).map(({ remoteName }) => remoteName)
  const stored = new Map<string, ToolNames>()
  for (const { id, remoteName } of pins?.gone ?? []) if (id !== null) stored.set(remoteName, { id, clientName: id })
  for (const { id, clientName, remoteName } of entry.tools) stored.set(remoteName, { id, clientName })
  const names = nameTools(entry.name, [...new Set(nameable)], stored)
  const seen = new Set<string>()
  return listed.map(({ remoteName, description, raw, inputSchema, problem }): JudgedTool => {
    const own = seen.has(remoteName) ? undefined : names.get(remoteName)
    seen.add(remoteName)
    const base = { remoteName, description, raw }
    if (own === undefined) {
      const unnamed: Problem = { code: 'tools/bad-tool-name', details: { reason: 'no letter or digit' } }
      return { ...base, id: null, tool: null, problem: problem ?? unnamed }
    }
    if (problem !== undefined) return { ...base, id: own.id, tool: null, problem }
    const words = description.trim() === '' ? `Tool ${remoteName} of the server ${entry.name}.` : description.trim()
    return { ...base, id: own.id, tool: { ...own, remoteName, description: words, parameters: inputSchema } }
  })
}

/** @throws CompanionError `space/no-tools` with the reasons of all tools in `details.reasons`. */
export function requireUsable(name: string, tools: readonly JudgedTool[]): void {
  if (tools.some(({ tool }) => tool !== null)) return
  const reasons = tools.map(({ remoteName, problem }) => `${plainText(remoteName, 80)}: ${problem?.code ?? ''}`)
  throw new CompanionError('space/no-tools', {
    slug: name,
    count: tools.length,
    reasons: reasons.slice(0, 20).join('; '),
  })
}

const flag = (raw: JsonValue, name: string): boolean => {
  const annotations = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw.annotations ?? null) : null
  return (
    typeof annotations === 'object' && annotations !== null && !Array.isArray(annotations) && annotations[name] === true
  )
}

/** How a usable listed tool stands to the one that is installed. */
export function changeOf(judged: JudgedTool, { entry, pins }: Known): 'new' | 'changed' | 'same' {
  const installed = entry.tools.find(({ remoteName }) => remoteName === judged.remoteName)
  const pin = pinOf(pins, judged.remoteName)
  if (installed === undefined) return 'new'
  // Without pins the file's own words are all that anybody has seen.
  if (pins === undefined)
    return judged.tool !== null && contentHash(judged.tool) === contentHash(installed) ? 'same' : 'changed'
  if (pin?.approved === undefined || pin.approved === '') return 'new'
  return pin.approved === listingHash(judged.raw) && contentHash(installed) === pin.content ? 'same' : 'changed'
}

/** Installed tools that the server lists no more. */
export function goneTools(judged: readonly JudgedTool[], { entry, pins }: Known): OtherTool[] {
  const listed = new Set(judged.map(({ remoteName }) => remoteName))
  const now = entry.tools
    .filter(({ remoteName }) => !listed.has(remoteName))
    .map(({ id, remoteName, description }): OtherTool => ({
      id,
      remoteName,
      description: plainText(description, 4_000),
      problem: { code: 'tools/no-longer-offered', details: { id } },
    }))
  const before = (pins?.gone ?? []).filter(({ remoteName }) => !listed.has(remoteName))
  return [...new Map([...now, ...before].map((tool) => [tool.remoteName, tool])).values()]
}

/** What a person sees before saying yes. */
export function previewTools(
  judged: readonly JudgedTool[],
  known: Known | null,
  others: readonly string[],
): PreviewTool[] {
  return judged.map((one) => {
    const parameters = one.tool?.parameters ?? {}
    return {
      id: one.id,
      remoteName: plainText(one.remoteName, 200),
      // The raw words, invisible characters included: they are marked, not hidden.
      description: plainText(one.description, 20_000),
      status: one.tool === null ? 'rejected' : 'usable',
      ...(one.problem === undefined ? {} : { problem: one.problem }),
      parameters,
      warnings: warningsFor(one.description, JSON.stringify(parameters), [...ROBOT_TOOLS, ...others]),
      ...(known === null || one.tool === null ? {} : { change: changeOf(one, known) }),
    }
  })
}

export interface Acceptance {
  /** Tools that are new count as approved: a person saw them. */
  readonly added: boolean
  /** So do those that changed. */
  readonly changed: boolean
  /** IDs that may be called without asking. */
  readonly consented: ReadonlySet<string>
}

/** Nobody looked: what differs from what was approved is withheld. */
export const NOBODY: Acceptance = { added: false, changed: false, consented: new Set() }

export interface Applied {
  readonly tools: readonly ManifestTool[]
  readonly pins: ServerPins
  readonly changes: { readonly added: string[]; readonly removed: string[]; readonly changed: string[] }
}

/** The state after a listing: the tools as they are listed now, and what of them is approved. */
export function applyListing(
  known: Known,
  listing: { readonly judged: readonly JudgedTool[]; readonly serverName: string; readonly target: string },
  accept: Acceptance,
  date: string,
): Applied {
  const usable = listing.judged.flatMap((one) => (one.tool === null ? [] : [{ ...one, tool: one.tool }]))
  const pins = usable.map((one) => nextPin(one, known, accept, date))
  const gone = goneTools(listing.judged, known)
  const idsThatAre = (change: 'new' | 'changed'): string[] =>
    usable.flatMap((one) => (changeOf(one, known) === change ? [one.tool.id] : []))
  const next: ServerPins = {
    name: known.entry.name,
    target: listing.target,
    serverName: listing.serverName,
    approvedAt: accept.added ? date : (known.pins?.approvedAt ?? date),
    tools: pins,
    rejected: listing.judged.flatMap(({ id, remoteName, description, tool, problem }) =>
      tool !== null || problem === undefined
        ? []
        : [{ id, remoteName: plainText(remoteName, 200), description: plainText(description, 4_000), problem }],
    ),
    gone: accept.added ? gone.map((tool) => ({ ...tool, seen: true })) : gone,
  }
  const tools = usable.map(({ tool }) => tool)
  const waits = next.gone.some(({ seen }) => seen !== true) || tools.some((tool) => withheld(tool, next) !== undefined)
  return {
    tools,
    pins: waits ? { ...next, since: known.pins?.since ?? date } : next,
    changes: {
      added: idsThatAre('new'),
      removed: goneTools(listing.judged, { entry: known.entry, pins: undefined }).flatMap(({ id }) =>
        id === null ? [] : [id],
      ),
      changed: idsThatAre('changed'),
    },
  }
}

function nextPin(
  one: JudgedTool & { readonly tool: ManifestTool },
  known: Known,
  accept: Acceptance,
  date: string,
): ToolPin {
  const old = pinOf(known.pins, one.remoteName)
  const change = changeOf(one, known)
  const latest = listingHash(one.raw)
  const destructive = flag(one.raw, 'destructiveHint')
  const accepted = change === 'same' || (change === 'new' ? accept.added : accept.changed)
  if (!accepted) {
    return {
      remoteName: one.remoteName,
      approved: old?.approved ?? '',
      latest,
      content: old?.content ?? '',
      approvedAt: old?.approvedAt ?? '',
      texts: old?.texts ?? approvedTexts(one.remoteName, known),
      consented: false,
      destructive,
      ...(old?.keptOff === undefined ? {} : { keptOff: old.keptOff }),
    }
  }
  return approvedPin(one.tool, {
    latest,
    destructive,
    approvedAt: change === 'same' && old !== undefined ? old.approvedAt : date,
    consented: accept.consented.has(one.tool.id) || (change === 'same' && old?.consented === true),
  })
}

/** Of a tool that another program wrote into the file, the file's words are what there was. */
function approvedTexts(remoteName: string, { entry, pins }: Known): ToolPin['texts'] {
  const installed = pins === undefined ? entry.tools.find((tool) => tool.remoteName === remoteName) : undefined
  return installed === undefined ? null : { description: installed.description, parameters: installed.parameters }
}

/** The pin of a tool that a person approves as it is now. */
export function approvedPin(
  tool: ManifestTool,
  is: Pick<ToolPin, 'latest' | 'destructive' | 'approvedAt' | 'consented'>,
): ToolPin {
  return {
    remoteName: tool.remoteName,
    approved: is.latest,
    latest: is.latest,
    content: contentHash(tool),
    approvedAt: is.approvedAt,
    texts: { description: tool.description, parameters: tool.parameters },
    consented: is.consented,
    destructive: is.destructive,
  }
}
