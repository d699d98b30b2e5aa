import type { FileContent, JsonRead } from './types.ts'
import type { z } from 'zod'

/** UTF-8, with or without a byte order mark: editors on Windows add one. */
export function parseJsonFile<S extends z.ZodType>(content: FileContent | null, schema: S): JsonRead<z.output<S>> {
  if (content === null) return { state: 'absent' }
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content.bytes))
  } catch (error) {
    return { state: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { state: 'ok', value: parsed.data, revision: content.revision }
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return { state: 'unreadable', reason: `${where}${issue?.message ?? 'not of the expected form'}` }
}
