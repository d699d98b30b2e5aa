import { fromWhom } from './registered.ts'
import { callablesOf, nameOf } from './registry.ts'
import { sanitise } from './schema.ts'

import type { Problem } from '../contract/index.ts'
import type { Callable, Registered } from './registered.ts'
import type { Registry } from './registry.ts'
import type { ModelTool } from './types.ts'

/** Tools of one request: small models choose badly among many, and some servers refuse more. */
export const MAX_TOOLS = 40
/** Bytes of all tools of one request; the grammar that llama.cpp makes of them has a ceiling of about 98 KB. */
export const MAX_TOOLS_BYTES = 65_536

/** Why a tool beyond the two limits is not offered; whoever reads no request, as the offline brain, may use it. */
const TOO_MANY = 'too-many'

export const isOnlyLeftOut = (problem: Problem | undefined): boolean =>
  problem?.code === 'tools/unavailable' && problem.details?.reason === TOO_MANY

export interface Offer {
  readonly tools: readonly ModelTool[]
  /** Enabled, available, and still not offered. */
  readonly leftOut: ReadonlyArray<{ id: string; problem: Problem }>
}

const NOBODY: ReadonlySet<string> = new Set()

/**
 * The tools of one request to a model: those that the profile lists and that can be used, with the system tools.
 * Built-in ones come first, so that a Space with a hundred tools never pushes the body out; then the order of the list.
 * @param refused IDs that the profile keeps from the model although its list has them.
 */
export function offer(registry: Registry, listed: readonly string[], refused: ReadonlySet<string> = NOBODY): Offer {
  const tools: ModelTool[] = []
  const leftOut: Array<{ id: string; problem: Problem }> = []
  let bytes = 0
  for (const tool of inOrder(registry, listed, refused)) {
    const { models, rejected } = modelsOf(tool, registry)
    const size = models.reduce((sum, model) => sum + bytesOf(model), 0)
    if (models.length === 0) {
      if (rejected) leftOut.push({ id: tool.id, problem: rejected })
    } else if (tools.length + models.length > MAX_TOOLS || bytes + size > MAX_TOOLS_BYTES) {
      // A file is one switch: all of it or nothing.
      const details = { id: tool.id, reason: TOO_MANY }
      leftOut.push({ id: tool.id, problem: { code: 'tools/unavailable', details } })
    } else {
      bytes += size
      tools.push(...models)
    }
  }
  return { tools, leftOut }
}

function inOrder(registry: Registry, listed: readonly string[], refused: ReadonlySet<string>): Set<Registered> {
  const usable = (tool: Registered | undefined): tool is Registered => tool !== undefined && tool.problem === undefined
  const chosen = listed
    .filter((id) => !refused.has(id))
    .map((id) => registry.byId.get(id))
    .filter(usable)
  return new Set([
    ...chosen.filter((tool) => tool.source === 'built-in' && !tool.system),
    ...registry.tools.filter((tool) => tool.system && usable(tool)),
    ...chosen.filter((tool) => tool.source !== 'built-in'),
  ])
}

/** What a tool looks like in a request: one function, or one for each tool of a file; those with unusable schemas are missing. */
export function modelsOf(tool: Registered, registry: Registry): { models: ModelTool[]; rejected?: Problem } {
  const models: ModelTool[] = []
  let rejected: Problem | undefined
  for (const one of callablesOf(tool)) {
    const { schema, rejected: why } = sanitise((one.member ?? tool).parameters, { gradio: tool.source === 'space' })
    if (why) rejected = why
    else models.push(modelOf(one, schema, registry))
  }
  return { models, ...(rejected ? { rejected } : {}) }
}

function modelOf(one: Callable, parameters: ModelTool['parameters'], registry: Registry): ModelTool {
  const { tool, member } = one
  const name = nameOf(one)
  const { description } = member ?? tool
  return {
    wireName: registry.wireNames.get(name) ?? name,
    id: tool.id,
    // Says where a tool comes from: its text is somebody else's and no instruction of ours.
    description: tool.source === 'built-in' ? description : `[from ${fromWhom(tool)}] ${description}`,
    parameters,
    ...(member ? { member: member.name } : {}),
    ordered: tool.ordered,
  }
}

const bytesOf = ({ wireName, description, parameters }: ModelTool): number =>
  Buffer.byteLength(JSON.stringify([wireName, description, parameters]))
