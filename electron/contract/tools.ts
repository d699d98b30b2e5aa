import { z } from 'zod'

import { TOOL_LANGUAGES } from './constants.ts'
import { problemSchema } from './errors.ts'

import type { JsonObject, JsonValue } from './host.ts'

/** Deepest nesting of a value that crosses an edge. */
const MAX_JSON_DEPTH = 500

function isJson(value: unknown, depth = 0): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_JSON_DEPTH) return false
  if (Array.isArray(value)) return value.every((one) => isJson(one, depth + 1))
  const isPlain = Object.prototype.toString.call(value) === '[object Object]'
  return isPlain && Object.values(value).every((one) => isJson(one, depth + 1))
}

/** Checked as it stands: `z.json()` makes a copy without the keys `__proto__`, a parameter's name like any other. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.custom<JsonValue>((value) => isJson(value))
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(
  (value) => isJson(value) && typeof value === 'object' && value !== null && !Array.isArray(value),
)

export const toolSourceSchema = z.enum(['built-in', 'local', 'space', 'server'])
export type ToolSource = z.infer<typeof toolSourceSchema>

/** One of the tools in a file of the user's own; one switch turns on all of a file. */
export const toolMemberSchema = z.object({
  /** What the model sees. */
  name: z.string(),
  description: z.string(),
  parameters: jsonObjectSchema,
})
export type ToolMember = z.infer<typeof toolMemberSchema>

export const toolLanguageSchema = z.enum(TOOL_LANGUAGES)
export type ToolLanguage = z.infer<typeof toolLanguageSchema>

/** The file behind a local tool. */
export const toolFileInfoSchema = z.object({
  path: z.string(),
  language: toolLanguageSchema,
  bytes: z.number().int(),
  /** SHA-256 of its bytes, hex: a permission is for exactly these. */
  sha256: z.string(),
  /** The profile in whose folder it lies; `null`: for all profiles. */
  profile: z.string().nullable(),
  /** `changed`: allowed once, with other bytes. */
  state: z.enum(['not-allowed', 'changed', 'ready', 'unusable']),
  /** Empty until it was allowed: nothing of it is run before. */
  members: z.array(toolMemberSchema),
})
export type ToolFileInfo = z.infer<typeof toolFileInfoSchema>

/** One tool of the registry, as a profile sees it. */
export const toolEntrySchema = z.object({
  /** The line of `tools.txt`, and the tool's name everywhere but on the wire. */
  id: z.string(),
  /** What comes after `alias__`, else the ID. */
  shortName: z.string(),
  source: toolSourceSchema,
  /** Slug of the Space, name of the server, path of the file; `robot` for built-in tools, `system` for the two that are always on. */
  origin: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments, as received. */
  parameters: jsonObjectSchema,
  enabled: z.boolean(),
  available: z.boolean(),
  /** Always on, not a line of `tools.txt`. */
  system: z.boolean(),
  problem: problemSchema.optional(),
  /** For local tools. */
  file: toolFileInfoSchema.optional(),
  /** What the profile says of it beyond on and off. */
  permission: z.enum(['ask', 'refuse']).optional(),
  /** On in every profile because of `AUTOLOAD_EXTERNAL_TOOLS`, whatever `tools.txt` says. */
  autoloaded: z.boolean().optional(),
  /** What it can do at worst, 0 … 5, see `RISK_CLASSES`. */
  riskClass: z.number().int().min(0).max(5).optional(),
})
export type ToolEntry = z.infer<typeof toolEntrySchema>

/** A line of `tools.txt` that names nothing known. */
export const unknownLineSchema = z.object({
  line: z.number().int(),
  text: z.string(),
  suggestion: z.string().optional(),
})

export const toolListSchema = z.object({
  version: z.number().int(),
  profile: z.string(),
  tools: z.array(toolEntrySchema),
  unknown: z.array(unknownLineSchema),
  /** What concerns no single entry: a file or a remote tool that has the name of a built-in one, a folder that cannot be read. */
  notices: z.array(problemSchema),
})
export type ToolList = z.infer<typeof toolListSchema>

export const toolImageSchema = z.object({ mimeType: z.string(), data: z.string() })
export type ToolImage = z.infer<typeof toolImageSchema>

/** A file that a tool's answer named on the server's own origin, fetched and looked at. */
export const toolFileSchema = z.object({
  name: z.string(),
  /** What the bytes are, never only what the server says. */
  mimeType: z.string(),
  bytes: z.number().int(),
  /** Base64; absent when the file could not be fetched, with `problem` saying why. */
  data: z.string().optional(),
  problem: problemSchema.optional(),
})
export type ToolFile = z.infer<typeof toolFileSchema>

/** Why a text of a stranger is marked. */
export const textWarningSchema = z.enum(['gives-orders', 'names-other-tools', 'invisible-characters', 'very-long'])
export type TextWarning = z.infer<typeof textWarningSchema>

/** What a tool answered, trimmed for people: `text` is whole up to 64 KB; the model's copy is capped separately. */
export const toolResultSchema = z.object({
  text: z.string(),
  structured: jsonValueSchema.optional(),
  images: z.array(toolImageSchema),
  files: z.array(toolFileSchema).optional(),
  /** The answer's text tries to steer the model, hides characters, …: marked for the person. */
  warnings: z.array(textWarningSchema).optional(),
  isError: z.boolean(),
  durationMs: z.number(),
})
export type ToolResult = z.infer<typeof toolResultSchema>

export const remoteToolSchema = z.object({
  /** `null`: no ID can be made of the name. */
  id: z.string().nullable(),
  remoteName: z.string(),
  description: z.string(),
  status: z.enum(['usable', 'rejected']),
  problem: problemSchema.optional(),
})
export type RemoteTool = z.infer<typeof remoteToolSchema>

/** Estimated tokens of what each tool adds to a request: name, description, schema as the model gets it. */
export const toolWeightsSchema = z.object({ version: z.number().int(), tokens: z.record(z.string(), z.number().int()) })
export type ToolWeights = z.infer<typeof toolWeightsSchema>

/** What a local tool wrote to its output and what happened to its process, newest last. */
export const toolLogSchema = z.object({
  path: z.string(),
  running: z.boolean(),
  lines: z.array(z.object({ at: z.number(), from: z.enum(['out', 'error', 'app']), text: z.string() })),
})
export type ToolLog = z.infer<typeof toolLogSchema>
