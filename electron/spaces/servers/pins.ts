import { z } from 'zod'

import { detailsSchema, errorCodeSchema, jsonObjectSchema } from '../../contract/index.ts'
import { contentHash } from '../pins.ts'

import type { Problem } from '../../contract/index.ts'
import type { ManifestTool } from '../manifest.ts'

const problemSchema = z.object({ code: errorCodeSchema, details: detailsSchema.optional() })
const textsSchema = z.object({ description: z.string(), parameters: jsonObjectSchema })

/** What a person said to one tool. Lists, not objects by name: a tool may be called `__proto__`. */
const toolPinSchema = z.object({
  remoteName: z.string(),
  /** SHA-256 of what the server listed when a person approved it; empty: never approved. */
  approved: z.string(),
  /** SHA-256 of what the server listed last. */
  latest: z.string(),
  /** SHA-256 of the approved tool's fields in `mcp_servers.json`, which other programs may edit. */
  content: z.string(),
  /** ISO 8601. */
  approvedAt: z.string(),
  /** The words that were approved, for the difference. */
  texts: textsSchema.nullable(),
  /** A person allowed calls of the tool as it is; else its first call asks. */
  consented: z.boolean(),
  /** `destructiveHint` of the server. */
  destructive: z.boolean(),
  /** The `latest` that a person decided to keep off. */
  keptOff: z.string().optional(),
})
export type ToolPin = z.infer<typeof toolPinSchema>

/** A tool that is shown and cannot be called. */
const otherToolSchema = z.object({
  id: z.string().nullable(),
  remoteName: z.string(),
  description: z.string(),
  problem: problemSchema,
  /** Of a tool that is gone: a person has seen that. */
  seen: z.boolean().optional(),
})
export type OtherTool = z.infer<typeof otherToolSchema>

const serverPinsSchema = z.object({
  name: z.string(),
  /** SHA-256 of the address or program that a person confirmed. */
  target: z.string(),
  serverName: z.string(),
  /** ISO 8601. */
  approvedAt: z.string(),
  /** ISO 8601: when the difference that waits for a decision was seen first. */
  since: z.string().optional(),
  tools: z.array(toolPinSchema),
  rejected: z.array(otherToolSchema),
  /** Offered once, not listed any more. */
  gone: z.array(otherToolSchema),
})
export type ServerPins = z.infer<typeof serverPinsSchema>

/** `mcp_server_pins.json`: ours alone. */
export const pinsFileSchema = z.object({ version: z.literal(1), servers: z.array(serverPinsSchema) })
export type PinsFile = z.infer<typeof pinsFileSchema>

export type PinsRead =
  | { readonly state: 'absent' }
  /** Nothing counts as approved. */
  | { readonly state: 'broken' }
  | { readonly state: 'newer'; readonly version: number }
  | { readonly state: 'ok'; readonly value: PinsFile }

export function readPins(bytes: Uint8Array | null): PinsRead {
  if (bytes === null) return { state: 'absent' }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
    if (typeof version === 'number' && version > 1) return { state: 'newer', version }
    const read = pinsFileSchema.safeParse(value)
    return read.success ? { state: 'ok', value: read.data } : { state: 'broken' }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { state: 'broken' }
    throw error
  }
}

export const pinOf = (pins: ServerPins | undefined, remoteName: string): ToolPin | undefined =>
  pins?.tools.find((pin) => pin.remoteName === remoteName)

const isApproved = (tool: ManifestTool, pin: ToolPin | undefined): boolean =>
  pin !== undefined && pin.approved !== '' && pin.latest === pin.approved && contentHash(tool) === pin.content

/**
 * Why a tool is withheld, or `undefined`. A server without pins was written into the file by another program: there is
 * nothing to compare with until it is contacted, and every first call asks.
 */
export function withheld(tool: ManifestTool, pins: ServerPins | undefined): Problem | undefined {
  if (pins === undefined || isApproved(tool, pinOf(pins, tool.remoteName))) return undefined
  return { code: 'server/changed', details: { id: tool.id, name: pins.name } }
}

/** Whether a withheld tool waits for a decision: one that a person keeps off waits no more, until it changes again. */
export const isUndecided = (tool: ManifestTool, pins: ServerPins | undefined): boolean => {
  const pin = pinOf(pins, tool.remoteName)
  return withheld(tool, pins) !== undefined && (pin?.keptOff === undefined || pin.keptOff !== pin.latest)
}
