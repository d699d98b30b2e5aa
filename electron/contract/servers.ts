import { z } from 'zod'

import { failureSchema, problemSchema } from './errors.ts'
import { installedSpaceSchema, installResultSchema, previewToolSchema, reviewToolSchema } from './spaces.ts'
import { remoteToolSchema } from './tools.ts'

/** What makes a server, apart from its name: an address, or a program that is started and spoken to over stdio. */
export const serverTargetSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('http'),
    url: z.string().min(1).max(2_000),
    /** Name of the environment variable with the bearer token; never the token. */
    tokenEnv: z.string().max(200).optional(),
    /** The token may go over plain http on the local network. */
    allowInsecureHttp: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('stdio'),
    command: z.string().min(1).max(2_000),
    args: z.array(z.string().max(4_000)).max(100),
    /** Plain values for the program's environment; secrets are named by `envFrom`. */
    env: z.record(z.string(), z.string().max(4_000)).optional(),
    /** Variables of this app's environment that are handed on. */
    envFrom: z.array(z.string().max(200)).max(50).optional(),
    cwd: z.string().max(2_000).optional(),
  }),
])
export type ServerTarget = z.infer<typeof serverTargetSchema>

export const serverDraftSchema = z.object({ name: z.string().min(1).max(100), target: serverTargetSchema })
export type ServerDraft = z.infer<typeof serverDraftSchema>

export const installedServerSchema = z.object({
  name: z.string(),
  target: serverTargetSchema,
  /** A token is kept in the system's store for it. */
  hasToken: z.boolean(),
  /** Plain http on the local network: what is sent can be read there. */
  plainHttp: z.boolean(),
  tools: z.array(remoteToolSchema),
  problem: problemSchema.optional(),
  /** As for a Space, with the texts before and after. */
  review: installedSpaceSchema.shape.review
    .unwrap()
    .extend({ tools: z.array(reviewToolSchema) })
    .optional(),
  check: installedSpaceSchema.shape.check,
})
export type InstalledServer = z.infer<typeof installedServerSchema>

export const serversSnapshotSchema = z.object({
  version: z.number().int(),
  /** Absolute path of `mcp_servers.json`. */
  path: z.string(),
  readOnly: z.boolean(),
  servers: z.array(installedServerSchema),
  problems: z.array(z.object({ entry: z.string(), problem: problemSchema })),
})
export type ServersSnapshot = z.infer<typeof serversSnapshotSchema>

export const serverPreviewSchema = z.object({
  operationId: z.string(),
  name: z.string(),
  target: serverTargetSchema,
  serverName: z.string(),
  transport: z.enum(['streamable-http', 'sse', 'stdio']),
  plainHttp: z.boolean(),
  refresh: z.boolean(),
  removedTools: z.array(z.string()),
  tools: z.array(previewToolSchema),
})
export type ServerPreview = z.infer<typeof serverPreviewSchema>

export const serverResultSchema = z.object({
  server: installedServerSchema,
  /** Lines added, by profile. */
  enabledIn: installResultSchema.shape.enabledIn,
  refreshed: z.boolean(),
  changes: installResultSchema.shape.changes,
  undoId: z.string(),
})
export type ServerResult = z.infer<typeof serverResultSchema>

/** One entry of another program's `mcp.json`, read leniently. */
export const serverImportSchema = z.object({
  drafts: z.array(
    z.object({
      draft: serverDraftSchema,
      problem: problemSchema.optional(),
      /** Values left out, by name: they look like secrets. */
      secrets: z.array(z.string()),
      /** A bearer token stood in it: `servers.preview` takes it with `importedToken`, it is not told again. */
      bearer: z.boolean().optional(),
    }),
  ),
  problems: z.array(z.object({ entry: z.string(), problem: problemSchema })),
  failure: failureSchema.optional(),
})
export type ServerImport = z.infer<typeof serverImportSchema>
