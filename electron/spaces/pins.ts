import { z } from 'zod'

import { detailsSchema, errorCodeSchema, jsonObjectSchema, jsonValueSchema } from '../contract/index.ts'

import { hashOf } from './canonical-json.ts'

import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'
import type { ManifestEntry, ManifestTool } from './manifest.ts'

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

/** What a model reads of a tool. */
const textsSchema = z.object({ description: z.string(), parameters: jsonObjectSchema })

const toolPinSchema = z.object({
  /**
   * SHA-256 of what the server listed when a person approved it, see {@link listingHash}. Empty, like `latest`: approved
   * as the manifest has it, before the server was asked; the first listing with the same content is taken as approved.
   */
  approved: z.string(),
  /** SHA-256 of what the server listed last. */
  latest: z.string(),
  /** SHA-256 of the approved tool's fields in the manifest, which other programs may edit. */
  content: z.string(),
  /** ISO 8601. */
  approvedAt: z.string(),
  /** A person said yes to the tool as approved; else its first call asks. */
  consented: z.boolean().optional(),
  /** As approved, capped. Files of older versions hold none. */
  texts: textsSchema.optional(),
  /** As the server offers it now, where that differs from what was approved. The manifest keeps the approved words. */
  offered: textsSchema.extend({ destructive: z.boolean().optional() }).optional(),
  /** ISO 8601: the difference, or a tool that is new, was seen first. */
  seenAt: z.string().optional(),
  /** Offered since the last look of a person, who has not decided about it. */
  added: z.boolean().optional(),
  /** The difference that a person decided to keep off, see {@link differenceOf}. */
  keptOff: z.string().optional(),
  /** The server calls the approved tool destructive. */
  destructive: z.boolean().optional(),
  /** Gradio's own name of the function, which outlives a change of the tool's name. */
  endpointName: z.string().optional(),
})
export type ToolPin = z.infer<typeof toolPinSchema>

/** A tool that is shown and cannot be called: it never enters the manifest, where upstream would offer it. */
const otherToolSchema = z.object({
  id: z.string().nullable(),
  remoteName: z.string(),
  description: z.string(),
  problem: problemSchema,
  /** ISO 8601: gone since. */
  seenAt: z.string().optional(),
  /** A person was told that it is gone. */
  told: z.boolean().optional(),
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
  /** What the Hub calls the Space. */
  title: z.string().optional(),
  emoji: z.string().optional(),
  /** Its schemas are Gradio's, which refuses some of them itself. */
  gradio: z.boolean().optional(),
  /** Address and visibility as approved: an edited manifest sends nothing elsewhere. */
  mcpUrl: z.string().optional(),
  private: z.boolean().optional(),
  /** What the Hub says instead, until a person confirms it. */
  moved: z
    .object({
      /** Name, when that is new too. */
      slug: z.string().optional(),
      mcpUrl: z.string(),
      private: z.boolean(),
      /** ISO 8601. */
      seenAt: z.string(),
      /** A person decided to leave it off. */
      keptOff: z.boolean().optional(),
    })
    .optional(),
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

/** Longest texts that are kept for showing a difference; UTF-16 units. */
const MAX_DESCRIPTION = 20_000
const MAX_PARAMETERS = 64 * 1024

/** What was approved, as it is kept. */
export const textsOf = (tool: Pick<ManifestTool, 'description' | 'parameters'>): NonNullable<ToolPin['texts']> => ({
  description: tool.description.slice(0, MAX_DESCRIPTION),
  parameters: JSON.stringify(tool.parameters).length > MAX_PARAMETERS ? {} : tool.parameters,
})

/** Pins of a Space that has none: its tools count as they stand in the manifest, and nobody said yes to any. */
export const pinsAsWritten = (entry: ManifestEntry): SpacePins => ({
  publisher: entry.slug.split('/')[0] ?? '',
  official: false,
  approvedAt: '',
  tools: Object.fromEntries(
    entry.tools.map((tool) => [
      tool.remoteName,
      { approved: '', latest: '', content: contentHash(tool), approvedAt: '', texts: textsOf(tool) },
    ]),
  ),
  rejected: [],
  gone: [],
})

/**
 * What differs between a tool and its approval, as a hash that names the difference; `null` when nothing does. A server
 * that lists something else comes before a manifest that another program edited.
 */
export function differenceOf(tool: ManifestTool, pin: ToolPin | undefined): string | null {
  if (pin === undefined) return contentHash(tool)
  if (pin.latest !== pin.approved) return pin.latest
  const content = contentHash(tool)
  return content === pin.content ? null : content
}

/** Address, visibility or name that differ from the approved ones. */
export interface Move {
  /** `undefined`: the name is the same. */
  readonly slug: string | undefined
  readonly mcpUrl: string
  readonly private: boolean
  /** ISO 8601; `null`: another program edited the manifest, nobody saw when. */
  readonly seenAt: string | null
  readonly keptOff: boolean
}

/** Told by the Hub, or read in a manifest that another program edited. */
export function moveOf(entry: Pick<ManifestEntry, 'mcpUrl' | 'private'>, pins: SpacePins | undefined): Move | null {
  if (pins === undefined) return null
  if (pins.moved !== undefined) {
    const { slug, mcpUrl, seenAt, keptOff = false } = pins.moved
    return { slug, mcpUrl, private: pins.moved.private, seenAt, keptOff }
  }
  const addressed = pins.mcpUrl !== undefined && entry.mcpUrl !== '' && entry.mcpUrl !== pins.mcpUrl
  const shown = pins.private !== undefined && entry.private !== null && entry.private !== pins.private
  if (!addressed && !shown) return null
  return { slug: undefined, mcpUrl: entry.mcpUrl, private: entry.private ?? false, seenAt: null, keptOff: false }
}

/**
 * Why an installed tool is withheld, or `undefined`. A Space without pins (the starting three, a manifest written by
 * upstream) has nothing to compare with; in a Space with pins a tool without one was added by another program.
 */
export function withheld(
  tool: ManifestTool,
  entry: Pick<ManifestEntry, 'slug' | 'mcpUrl' | 'private'>,
  pins: SpacePins | undefined,
): Problem | undefined {
  if (pins === undefined) return undefined
  const same = moveOf(entry, pins) === null && differenceOf(tool, pinOf(pins, tool.remoteName)) === null
  return same ? undefined : { code: 'space/changed', details: { id: tool.id, slug: entry.slug } }
}
