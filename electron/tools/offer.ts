import { sanitise } from './schema.ts'

import type { Problem } from '../contract/index.ts'
import type { Registered, Registry } from './registry.ts'
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

/**
 * The tools of one request to a model: those that the profile lists and that can be used, with the system tools.
 * Built-in ones come first, so that a Space with a hundred tools never pushes the body out; then the order of the list.
 */
export function offer(registry: Registry, listed: readonly string[]): Offer {
  const usable = (tool: Registered | undefined): tool is Registered => tool !== undefined && tool.problem === undefined
  const chosen = listed.map((id) => registry.byId.get(id)).filter(usable)
  const system = registry.tools.filter((tool) => tool.system).filter(usable)
  const order = [
    ...chosen.filter((tool) => tool.source === 'built-in' && !tool.system),
    ...system,
    ...chosen.filter((tool) => tool.source !== 'built-in'),
  ]
  const tools: ModelTool[] = []
  const leftOut: Array<{ id: string; problem: Problem }> = []
  let bytes = 0
  for (const tool of new Set(order)) {
    const { schema, rejected } = sanitise(tool.parameters, { gradio: tool.source === 'space' })
    if (rejected) {
      leftOut.push({ id: tool.id, problem: rejected })
      continue
    }
    const model: ModelTool = {
      wireName: registry.wireNames.get(tool.id) ?? tool.id,
      id: tool.id,
      description: modelDescription(tool),
      parameters: schema,
      ordered: tool.ordered,
    }
    const size = Buffer.byteLength(JSON.stringify([model.wireName, model.description, model.parameters]))
    if (tools.length >= MAX_TOOLS || bytes + size > MAX_TOOLS_BYTES) {
      leftOut.push({
        id: tool.id,
        problem: { code: 'tools/unavailable', details: { id: tool.id, reason: TOO_MANY } },
      })
      continue
    }
    bytes += size
    tools.push(model)
  }
  return { tools, leftOut }
}

/** Says where a tool comes from: its text is somebody else's and no instruction of ours. */
function modelDescription(tool: Registered): string {
  return tool.source === 'built-in' ? tool.description : `[from ${tool.origin}] ${tool.description}`
}
