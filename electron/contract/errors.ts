import { z } from 'zod'

/** Every failure the app can name. `area/what`; texts and hints live in `strings`, one per code and language. */
export const ERROR_CODES = [
  'space/bad-name',
  'space/not-found',
  'space/gated',
  'space/disabled',
  'space/wrong-sdk',
  'space/not-running',
  'space/asleep',
  'space/no-mcp',
  'space/no-tools',
  'space/dropped',
  'space/timeout',
  'space/crashed',
  'space/rate-limited',
  'space/alias-conflict',
  'space/not-installed',
  'space/bad-origin',
  'space/changed',
  'space/unauthorized',
  'space/unreachable',
  'space/protocol',
  'space/too-large',
  'space/file-gone',
  'server/bad-name',
  'server/bad-address',
  'server/bad-entry',
  'server/exists',
  'server/not-installed',
  'server/not-started',
  'server/exited',
  'server/insecure',
  'server/no-token',
  'server/bad-token',
  'server/unauthorized',
  'server/no-mcp',
  'server/changed',
  'server/changed-outside',
  'server/file-unreadable',
  'hub/offline',
  'hub/error',
  'hub/rate-limited',
  'hub/token-rejected',
  'hub/bad-endpoint',
  'tools/unknown',
  'tools/not-enabled',
  'tools/unavailable',
  'tools/duplicate-name',
  'tools/bad-arguments',
  'tools/needs-approval',
  'tools/denied',
  'tools/failed',
  'tools/timeout',
  'tools/cancelled',
  'tools/unknown-id',
  'tools/duplicate-line',
  'tools/space-not-installed',
  'tools/no-longer-offered',
  'tools/renamed',
  'tools/inline-comment',
  'tools/bom',
  'tools/bad-schema',
  'tools/bad-tool-name',
  'tools/schema-unusable',
  'tools/too-large',
  'tools/not-allowed',
  'tools/file-changed',
  'tools/bad-file',
  'tools/bad-answer',
  'tools/not-started',
  'tools/crashed',
  'tools/no-python',
  'tools/unmentioned',
  'profile/not-found',
  'profile/bad-name',
  'profile/exists',
  'profile/unreadable',
  'profile/not-utf8',
  'profile/read-only',
  'profile/unknown-placeholder',
  'profile/long-prompt',
  'profile/changed-outside',
  'profile/in-use',
  'profile/shipped',
  'profile/bad-repair',
  'profile/bad-front-matter',
  'profile/unknown-key',
  'profile/newer',
  'profile/two-formats',
  'profile/not-held',
  'profile/bad-archive',
  'profile/no-profiles',
  'profile/refused-entry',
  'profile/too-large',
  'profile/python-not-copied',
  'profile/orphan-toolset',
  'profile/toolsets-unreadable',
  'profile/unknown-voice',
  'profile/many-tools',
  'manifest/unreadable',
  'manifest/newer',
  'manifest/bad-entry',
  'manifest/instance-gone',
  'robot/not-found',
  'robot/bad-place',
  'robot/busy',
  'robot/no-permission',
  'robot/no-power',
  'robot/missing-motors',
  'robot/unknown-device',
  'robot/unreadable',
  'robot/old-daemon',
  'robot/disconnected',
  'robot/unreachable',
  'robot/overload',
  'robot/out-of-range',
  'robot/out-of-reach',
  'robot/stopped',
  'robot/unknown-move',
  'move/unreadable',
  'move/empty',
  'move/broken',
  'move/too-large',
  'move/too-long',
  'move/bad-name',
  'move/exists',
  'move/not-yours',
  'move/no-recording',
  'library/unknown',
  'library/not-found',
  'library/damaged',
  'library/no-moves',
  'library/too-large',
  'provider/none',
  'provider/unauthorized',
  'provider/unreachable',
  'provider/dropped',
  'provider/rate-limited',
  'provider/no-tools',
  'provider/error',
  'provider/bad-address',
  'storage/failed',
  'storage/locked',
  'storage/conflict',
  'secrets/unavailable',
  'cli/usage',
  'cli/not-available-yet',
  'ipc/forbidden',
  'ipc/no-route',
  'ipc/invalid',
  'app/cancelled',
  'app/internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export const errorCodeSchema = z.enum(ERROR_CODES)

/**
 * Values that the text of an error may name, e.g. `{ slug: 'owner/name', seconds: 30 }`. Never a secret, never a
 * remote body; a provider's own reason only as one cleaned and shortened line. */
export const detailsSchema = z.record(z.string(), z.union([z.string(), z.number()]))
export type Details = z.infer<typeof detailsSchema>

/** Something that is wrong and shown beside the thing it concerns (a tool, a line, a manifest entry). */
export const problemSchema = z.object({ code: errorCodeSchema, details: detailsSchema.optional() })
export type Problem = z.infer<typeof problemSchema>

/** A failure as it crosses an edge (IPC, `--json`). `message` and `hint` are English; a screen translates by `code`. */
export const failureSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  hint: z.string().optional(),
  details: detailsSchema.optional(),
})
export type Failure = z.infer<typeof failureSchema>

/** The one error class of the rooms. The edges turn it into a {@link Failure}; anything else is `app/internal`. */
export class CompanionError extends Error {
  override readonly name = 'CompanionError'

  constructor(
    readonly code: ErrorCode,
    readonly details: Details = {},
    options?: { cause?: unknown },
  ) {
    super(code, options)
  }
}

/** Marks a branch that the type checker proves unreachable. @throws always, if it is reached all the same. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
