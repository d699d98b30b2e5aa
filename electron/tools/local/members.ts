import { z } from 'zod'

import { jsonObjectSchema } from '../../contract/index.ts'
import { judgeSchema, plainText } from '../../mcp/index.ts'

import type { JsonObject, ToolMember } from '../../contract/index.ts'

/** Tools in one file; more is a mistake. */
const MOST_MEMBERS = 50
const NAME_CHARACTERS = 64
const DESCRIPTION_CHARACTERS = 1_024
const SCHEMA_CHARACTERS = 16_384

const schema = z
  .array(
    z.object({
      name: z.string().min(1).max(NAME_CHARACTERS),
      description: z.string().catch(''),
      parameters: z.unknown().optional(),
    }),
  )
  .min(1)
  .max(MOST_MEMBERS)

export type ReadMembers =
  { readonly ok: true; readonly members: readonly ToolMember[] } | { readonly ok: false; readonly reason: string }

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} }

/** What a file says it offers, checked as what a Space offers is. Pure. */
export function readMembers(told: unknown): ReadMembers {
  const parsed = schema.safeParse(told)
  if (!parsed.success) return { ok: false, reason: parsed.error.issues[0]?.message ?? 'no tools' }
  const members: ToolMember[] = []
  for (const { name, description, parameters } of parsed.data) {
    if (!/^[A-Za-z_][\w.-]*$/.test(name)) return { ok: false, reason: `${plainText(name, 80)} is no name for a tool` }
    if (members.some((member) => member.name === name)) return { ok: false, reason: `two tools are called ${name}` }
    const given = parameters === undefined || parameters === null ? NO_PARAMETERS : parameters
    const object = jsonObjectSchema.safeParse(given)
    if (!object.success) return { ok: false, reason: `the parameters of ${name} are no JSON Schema object` }
    if (JSON.stringify(object.data).length > SCHEMA_CHARACTERS) {
      return { ok: false, reason: `the parameters of ${name} are longer than 16 KB` }
    }
    const verdict = judgeSchema(object.data, { gradio: false })
    if (!verdict.usable) {
      const reason = String(verdict.problem.details?.reason ?? verdict.problem.code)
      return { ok: false, reason: `the parameters of ${name} cannot be used: ${reason}` }
    }
    members.push({ name, description: plainText(description, DESCRIPTION_CHARACTERS), parameters: object.data })
  }
  return { ok: true, members }
}
