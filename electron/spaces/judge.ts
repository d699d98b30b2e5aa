import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { aliasOf } from './alias.ts'
import { hasUsableName, nameTools } from './ids.ts'
import { contentHash, listingHash, pinOf } from './pins.ts'
import { isOwnText } from './seeds.ts'
import { otherToolsIn, ROBOT_TOOLS, warningsFor } from './warnings.ts'

import type { JsonValue, PreviewTool, Problem } from '../contract/index.ts'
import type { ListedTool } from '../mcp/index.ts'
import type { ToolNames } from './ids.ts'
import type { ManifestEntry, ManifestTool } from './manifest.ts'
import type { OtherTool, SpacePins } from './pins.ts'

/** One listed tool with its names: usable ones carry what the manifest will hold. */
export interface JudgedTool {
  readonly id: string | null
  readonly remoteName: string
  readonly description: string
  readonly raw: JsonValue
  readonly manifest: ManifestTool | null
  readonly problem?: Problem
}

/**
 * Gives the tools of a listing their names. Installed tools keep theirs, also those that were offered once.
 *
 * @param before the installed entry of the same Space, if any
 */
export function judgeListing(
  slug: string,
  listed: readonly ListedTool[],
  before: ManifestEntry | undefined,
  pins: SpacePins | undefined,
): JudgedTool[] {
  const nameable = listed.filter(({ remoteName }) => hasUsableName(remoteName)).map(({ remoteName }) => remoteName)
  const names = nameTools(slug, [...new Set(nameable)], storedNames(slug, before, pins))
  const seen = new Set<string>()
  return listed.map((tool): JudgedTool => {
    const { remoteName, description, raw, problem } = tool
    const name = seen.has(remoteName) ? undefined : names.get(remoteName)
    seen.add(remoteName)
    const base = { remoteName, description, raw }
    if (name === undefined) {
      return {
        ...base,
        id: null,
        manifest: null,
        problem: problem ?? { code: 'tools/bad-tool-name', details: { reason: 'no letter or digit' } },
      }
    }
    if (problem !== undefined) return { ...base, id: name.id, manifest: null, problem }
    return { ...base, id: name.id, manifest: toManifest(slug, tool, name) }
  })
}

function storedNames(
  slug: string,
  before: ManifestEntry | undefined,
  pins: SpacePins | undefined,
): Map<string, ToolNames> {
  const stored = new Map<string, ToolNames>()
  for (const { remoteName, id } of pins?.gone ?? []) {
    const names = nameTools(slug, [remoteName]).get(remoteName)
    if (id !== null && names !== undefined) stored.set(remoteName, { ...names, id })
  }
  for (const { remoteName, id, clientName } of before?.tools ?? []) stored.set(remoteName, { id, clientName })
  return stored
}

/** An empty description becomes the sentence that upstream writes. */
function toManifest(slug: string, tool: ListedTool, names: ToolNames): ManifestTool {
  const description = tool.description.trim()
  return {
    id: names.id,
    clientName: names.clientName,
    remoteName: tool.remoteName,
    description:
      description === '' ? `Remote MCP tool '${tool.remoteName}' from server '${aliasOf(slug)}'.` : description,
    parameters: tool.inputSchema,
  }
}

/**
 * How a listed tool stands to the approved one. The starting Spaces take the server's words for ours; a tool that was gone
 * is the same only when it came back as it was approved.
 */
export function changeOf(
  tool: JudgedTool,
  before: ManifestEntry | undefined,
  pins: SpacePins | undefined,
): 'new' | 'changed' | 'same' {
  const installed = before?.tools.find(({ remoteName }) => remoteName === tool.remoteName)
  if (pins === undefined) return installed === undefined ? 'new' : 'same'
  const pin = pinOf(pins, tool.remoteName)
  const wasHere = installed !== undefined || pins.gone.some(({ remoteName }) => remoteName === tool.remoteName)
  if (pin === undefined) return wasHere ? 'changed' : 'new'
  // What nobody said yes to and nobody decided about may still become something else.
  if (pin.added === true && pin.consented !== true) return 'new'
  const listed = listingHash(tool.raw)
  if (pin.latest !== '' || tool.manifest === null) return pin.approved === listed ? 'same' : 'changed'
  const own = before !== undefined && installed !== undefined && isOwnText(before.slug, installed)
  return own || contentHash(tool.manifest) === pin.content ? 'same' : 'changed'
}

/** What the person sees before saying yes. */
export function previewTools(
  tools: readonly JudgedTool[],
  others: readonly string[],
  before: ManifestEntry | undefined,
  pins: SpacePins | undefined,
): PreviewTool[] {
  return tools.map((tool) => {
    const parameters = tool.manifest?.parameters ?? {}
    const schema = JSON.stringify(parameters)
    const names = [...ROBOT_TOOLS, ...others]
    const otherTools = otherToolsIn(`${tool.description}\n${schema}`, names)
    return {
      id: tool.id,
      remoteName: plainText(tool.remoteName, 200),
      // The raw words, invisible characters included: they are marked, not hidden.
      description: plainText(tool.description, 20_000),
      status: tool.manifest === null ? 'rejected' : 'usable',
      ...(tool.problem === undefined ? {} : { problem: tool.problem }),
      parameters,
      warnings: warningsFor(tool.description, schema, names),
      ...(otherTools.length === 0 ? {} : { otherTools }),
      ...(before === undefined ? {} : { change: changeOf(tool, before, pins) }),
    }
  })
}

/** IDs of installed tools that the server lists no longer. */
export function goneTools(tools: readonly JudgedTool[], before: ManifestEntry | undefined): OtherTool[] {
  const listed = new Set(tools.map(({ remoteName }) => remoteName))
  return (before?.tools ?? [])
    .filter(({ remoteName }) => !listed.has(remoteName))
    .map(({ id, remoteName, description }) => ({
      id,
      remoteName,
      description: plainText(description, 4_000),
      problem: { code: 'tools/no-longer-offered', details: { id } },
    }))
}

/** @throws CompanionError `space/no-tools` with the reasons of all tools in `details.reasons`. */
export function requireUsable(slug: string, tools: readonly JudgedTool[]): void {
  if (tools.some(({ manifest }) => manifest !== null)) return
  const reasons = tools.map(({ remoteName, problem }) => `${plainText(remoteName, 80)}: ${problem?.code ?? ''}`)
  throw new CompanionError('space/no-tools', { slug, count: tools.length, reasons: reasons.slice(0, 20).join('; ') })
}
