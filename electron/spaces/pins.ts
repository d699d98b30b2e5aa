import { z } from 'zod'

import { detailsSchema, errorCodeSchema, jsonValueSchema } from '../contract/index.ts'

import { hashOf } from './canonical-json.ts'

import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'
import type { ManifestTool } from './manifest.ts'

const problemSchema = z.object({ code: errorCodeSchema, details: detailsSchema.optional() })

/**
 * An object whose keys are a stranger's words. `z.record` drops a key `__proto__`, and with it what was approved under
 * that name.
 */
function byAnyName<T>(schema: z.ZodType<T>) {
  return z.unknown().transform((value, context): Record<string, T> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue({ code: 'custom', message: 'not an object' })
      return z.NEVER
    }
    const read = Object.entries(value).map(([name, one]) => [name, schema.safeParse(one)] as const)
    if (read.some(([, one]) => !one.success)) context.addIssue({ code: 'custom', message: 'not the value of a name' })
    return Object.fromEntries(read.flatMap(([name, one]) => (one.success ? [[name, one.data] as const] : [])))
  })
}

const toolPinSchema = z.object({
  /** SHA-256 of what the server listed when a person approved it, see {@link listingHash}. */
  approved: z.string(),
  /** SHA-256 of what the server listed last. */
  latest: z.string(),
  /** SHA-256 of the approved tool's fields in the manifest, which other programs may edit. */
  content: z.string(),
  /** ISO 8601. */
  approvedAt: z.string(),
})
export type ToolPin = z.infer<typeof toolPinSchema>

/** A tool that is shown and cannot be called: it never enters the manifest, where upstream would offer it. */
const otherToolSchema = z.object({
  id: z.string().nullable(),
  remoteName: z.string(),
  description: z.string(),
  problem: problemSchema,
})
export type OtherTool = z.infer<typeof otherToolSchema>

const spacePinsSchema = z.object({
  publisher: z.string(),
  official: z.boolean(),
  approvedAt: z.string(),
  /** By remote name; read with {@link pinOf}. */
  tools: byAnyName(toolPinSchema),
  rejected: z.array(otherToolSchema),
  /** Offered once, gone at the last refresh. */
  gone: z.array(otherToolSchema),
})
export type SpacePins = z.infer<typeof spacePinsSchema>

const quarantinedSchema = z.object({
  /** ISO 8601. */
  date: z.string(),
  label: z.string(),
  problem: problemSchema,
  raw: jsonValueSchema,
})
export type Quarantined = z.infer<typeof quarantinedSchema>

/** `tool_space_pins.json`: what persons approved, and everything else about Spaces that upstream's file has no place for. */
export const pinsFileSchema = z.object({
  version: z.literal(1),
  /** By slug. */
  spaces: z.record(z.string(), spacePinsSchema),
})
export type PinsFile = z.infer<typeof pinsFileSchema>

/** `tool_spaces_quarantine.json`: entries of the manifest that could not be read, raw. */
export const quarantineFileSchema = z.object({ version: z.literal(1), entries: z.array(quarantinedSchema) })
export type QuarantineFile = z.infer<typeof quarantineFileSchema>

export const NO_PINS: PinsFile = { version: 1, spaces: {} }
export const NO_QUARANTINE: QuarantineFile = { version: 1, entries: [] }

/** The fields of a listed tool that a model or a person goes by; the rest (icons, `_meta`) may change freely. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** SHA-256 of the canonical JSON of a tool as the server listed it. */
export function listingHash(raw: JsonValue): string {
  const listed: JsonObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}
  return hashOf(Object.fromEntries(PINNED.flatMap((key) => (key in listed ? [[key, listed[key] ?? null]] : []))))
}

export function contentHash(tool: ManifestTool): string {
  return hashOf({ name: tool.remoteName, description: tool.description, parameters: tool.parameters })
}

/** The pin of a tool: an own key, since every object answers to `constructor`. */
export const pinOf = (pins: SpacePins | undefined, remoteName: string): ToolPin | undefined =>
  pins !== undefined && Object.hasOwn(pins.tools, remoteName) ? pins.tools[remoteName] : undefined

/**
 * Why an installed tool is withheld, or `undefined`. A Space without pins (the starting three, a manifest written by
 * upstream) has nothing to compare with; in a Space with pins a tool without one was added by another program.
 */
export function withheld(tool: ManifestTool, pins: SpacePins | undefined): Problem | undefined {
  if (pins === undefined) return undefined
  const pin = pinOf(pins, tool.remoteName)
  const same = pin !== undefined && pin.latest === pin.approved && contentHash(tool) === pin.content
  return same ? undefined : { code: 'space/changed', details: { id: tool.id } }
}
