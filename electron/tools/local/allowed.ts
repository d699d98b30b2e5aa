import { z } from 'zod'

import { jsonObjectSchema } from '../../contract/index.ts'

import type { Log, ToolMember } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'

const entrySchema = z.looseObject({
  sha256: z.string(),
  /** ISO 8601. */
  allowedAt: z.string(),
  members: z.array(z.object({ name: z.string(), description: z.string(), parameters: jsonObjectSchema })),
})
/** `local_tools.json`: which bytes of which file a person allowed, and what they offer. Unknown keys stay. */
const fileSchema = z.looseObject({ version: z.literal(1), files: z.record(z.string(), z.unknown()) })

export interface Allowed {
  readonly sha256: string
  readonly members: readonly ToolMember[]
}

export interface AllowedFiles {
  /** By path. An entry that cannot be read counts as none. */
  all(): Promise<ReadonlyMap<string, Allowed>>
  put(path: string, allowed: Allowed): Promise<void>
  remove(path: string): Promise<void>
}

type Content = z.output<typeof fileSchema>

export function createAllowedFiles(
  storage: Pick<Storage, 'path' | 'transact' | 'readJson' | 'setAside'>,
  log: Log,
  now: () => Date = () => new Date(),
): AllowedFiles {
  const file = storage.path('local_tools.json')

  const change = (label: string, edit: (content: Content) => Content): Promise<void> =>
    storage
      .transact(label, async (tx) => {
        const read = await storage.readJson(file, fileSchema)
        if (read.state === 'unreadable') {
          const aside = await storage.setAside(file)
          log.error('local_tools.json could not be read and was set aside', { aside, reason: read.reason })
        }
        const before: Content = read.state === 'ok' ? read.value : { version: 1, files: {} }
        await tx.read(file)
        tx.write(file, `${JSON.stringify(edit(before), null, 2)}\n`)
      })
      .then(() => undefined)

  return {
    async all() {
      const read = await storage.readJson(file, fileSchema)
      if (read.state === 'absent') return new Map()
      if (read.state === 'unreadable') {
        log.warn('local_tools.json cannot be read: no file is allowed', { reason: read.reason })
        return new Map()
      }
      const entries = Object.entries(read.value.files).flatMap(([path, entry]) => {
        const parsed = entrySchema.safeParse(entry)
        if (parsed.success) return [[path, parsed.data] as const]
        log.warn('an entry of local_tools.json cannot be read', { path })
        return []
      })
      return new Map(entries)
    },
    put(path, { sha256, members }) {
      const entry = { sha256, allowedAt: now().toISOString(), members }
      return change('allow a tool file', (content) => ({ ...content, files: { ...content.files, [path]: entry } }))
    },
    remove(path) {
      return change('forbid a tool file', ({ files, ...content }) => ({
        ...content,
        files: Object.fromEntries(Object.entries(files).filter(([key]) => key !== path)),
      }))
    },
  }
}
