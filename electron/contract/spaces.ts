import { z } from 'zod'

import { INSTALL_STEPS } from './constants.ts'
import { failureSchema, problemSchema } from './errors.ts'
import { jsonObjectSchema, remoteToolSchema, textWarningSchema } from './tools.ts'

/** A Space in the catalogue. All texts are the Hub's: untrusted, capped, without control characters. */
export const spaceCardSchema = z.object({
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  emoji: z.string().optional(),
  likes: z.number().int(),
  /** The Hub's own word, an open set: RUNNING, SLEEPING, PAUSED, … */
  stage: z.string().optional(),
  hardware: z.string().optional(),
  tags: z.array(z.string()),
  description: z.string(),
  /** Published by Pollen Robotics. */
  official: z.boolean(),
  private: z.boolean(),
  installed: z.boolean(),
})
export type SpaceCard = z.infer<typeof spaceCardSchema>

export const spaceFilterSchema = z.enum(['reachy-mini', 'mcp', 'tagged-mcp', 'running', 'official'])
export type SpaceFilter = z.infer<typeof spaceFilterSchema>
export const spaceSortSchema = z.enum(['likes', 'trendingScore', 'lastModified'])
export type SpaceSort = z.infer<typeof spaceSortSchema>

export const spaceSearchSchema = z.object({
  results: z.array(spaceCardSchema),
  /** Fetches the following entries; absent at the end of the list. */
  next: z.string().optional(),
  from: z.enum(['hub', 'cache']),
  /** Milliseconds since 1970 of the cached catalogue, when `from` is `cache`. */
  cachedAt: z.number().optional(),
  /** Why the Hub did not answer, when `from` is `cache`. */
  failure: failureSchema.optional(),
})
export type SpaceSearch = z.infer<typeof spaceSearchSchema>

export const installedSpaceSchema = z.object({
  slug: z.string(),
  alias: z.string(),
  mcpUrl: z.string(),
  private: z.boolean(),
  official: z.boolean(),
  tools: z.array(remoteToolSchema),
  /** Not contacted, with the reason. */
  problem: problemSchema.optional(),
  /** What differs from what was approved and waits for a person's decision. */
  review: z
    .object({
      changed: z.array(z.string()),
      added: z.array(z.string()),
      gone: z.array(z.string()),
      /** Milliseconds since 1970 of the day the difference was seen first. */
      since: z.number(),
    })
    .optional(),
  /** The last look at what the Space offers, asked for by a person or made by a call. */
  check: z
    .object({
      state: z.enum(['checking', 'ok', 'failed']),
      /** Milliseconds since 1970. */
      at: z.number(),
      failure: failureSchema.optional(),
    })
    .optional(),
})
export type InstalledSpace = z.infer<typeof installedSpaceSchema>

export const spacesSnapshotSchema = z.object({
  version: z.number().int(),
  manifest: z.string(),
  /** The file cannot be read or was written by a newer version: nothing is written until that is repaired. */
  readOnly: z.boolean(),
  spaces: z.array(installedSpaceSchema),
  problems: z.array(
    z.object({
      entry: z.string(),
      problem: problemSchema,
      /** Names the entry in `spaces.preview` (`replaces`) and `spaces.discard`; absent for a file as a whole. */
      id: z.string().optional(),
      /** The Space that could be looked up again to repair the entry. */
      suggestion: z.string().optional(),
    }),
  ),
  /** When the file cannot be read: whether a backup can be restored, and from when (milliseconds since 1970). */
  repair: z.object({ backupAt: z.number().nullable() }).optional(),
  /** Folder of a robot app whose manifest is worked on in place instead of our own. */
  instance: z.string().optional(),
})
export type SpacesSnapshot = z.infer<typeof spacesSnapshotSchema>

export const installStepSchema = z.enum(INSTALL_STEPS)
export type InstallStep = z.infer<typeof installStepSchema>

export const installStepStateSchema = z.object({
  step: installStepSchema,
  state: z.enum(['pending', 'running', 'done', 'failed']),
  durationMs: z.number().optional(),
  /** Wake: `awake` or the Hub's stage; Connect: the transport; Discover: number of tools as text. */
  detail: z.string().optional(),
  /** Milliseconds since 1970. */
  startedAt: z.number().optional(),
  /** Milliseconds after which the step gives up. */
  limitMs: z.number().optional(),
  /** Wake: how long it is expected to take in all, in milliseconds. */
  expectedMs: z.number().optional(),
})
export type InstallStepState = z.infer<typeof installStepStateSchema>

/** Everything known about one running or waiting installation; sent whole at each change. */
export const installProgressSchema = z.object({
  operationId: z.string(),
  /** What was asked for, until the Hub told the canonical slug. */
  slug: z.string(),
  steps: z.array(installStepStateSchema),
})
export type InstallProgress = z.infer<typeof installProgressSchema>

export const toolWarningSchema = textWarningSchema
export type ToolWarning = z.infer<typeof toolWarningSchema>

export const previewToolSchema = remoteToolSchema.extend({
  parameters: jsonObjectSchema,
  warnings: z.array(toolWarningSchema),
  /** Against the approved version, for a Space that is installed already. */
  change: z.enum(['new', 'changed', 'same']).optional(),
  /** Names of other tools, of the robot or of another Space, that the description mentions. */
  otherTools: z.array(z.string()).optional(),
})
export type PreviewTool = z.infer<typeof previewToolSchema>

export const spacePreviewSchema = z.object({
  operationId: z.string(),
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  emoji: z.string().optional(),
  official: z.boolean(),
  /** A well-known Space whose name this one resembles, with another owner or other letters. */
  looksLike: z.string().optional(),
  /** No Gradio Space: it may serve MCP all the same, which is rare. */
  docker: z.boolean().optional(),
  private: z.boolean(),
  /** The Hub token would go to this Space (private Spaces only). */
  sendsToken: z.boolean(),
  mcpUrl: z.string(),
  transport: z.enum(['streamable-http', 'sse']),
  /** What was typed, when the Hub knows the Space under another name. */
  movedFrom: z.string().optional(),
  /** The Space is installed already: this would refresh it. */
  refresh: z.boolean(),
  removedTools: z.array(z.string()),
  tools: z.array(previewToolSchema),
})
export type SpacePreview = z.infer<typeof spacePreviewSchema>

export const installResultSchema = z.object({
  space: installedSpaceSchema,
  /** The first profile, and what was really added there. */
  enabled: z.object({ profile: z.string().nullable(), added: z.array(z.string()) }),
  /** Lines added, by profile. */
  enabledIn: z.record(z.string(), z.array(z.string())),
  refreshed: z.boolean(),
  changes: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
  manifest: z.string(),
  undoId: z.string(),
})
export type InstallResult = z.infer<typeof installResultSchema>

export const removeResultSchema = z.object({
  removed: z.string(),
  disabled: z.record(z.string(), z.array(z.string())),
  undoId: z.string(),
})
export type RemoveResult = z.infer<typeof removeResultSchema>

/** One Space with what its page says. */
export const spaceDetailSchema = z.object({
  card: spaceCardSchema,
  readme: z
    .object({
      /** Markdown without front matter, capped, without control characters; scripts and frames are taken out. */
      markdown: z.string(),
      leftOut: z.object({ scripts: z.number().int(), frames: z.number().int() }),
      /** What the addresses of its own pictures begin with; others come from somewhere else. */
      own: z.string(),
    })
    .nullable(),
  from: z.enum(['hub', 'cache']),
  /** Milliseconds since 1970 of what is shown, when `from` is `cache` and it was looked at before. */
  cachedAt: z.number().optional(),
  failure: failureSchema.optional(),
  /** Tools as installed; absent when the Space is not installed. */
  tools: z.array(previewToolSchema).optional(),
})
export type SpaceDetail = z.infer<typeof spaceDetailSchema>

export const refreshResultSchema = z.object({
  spaces: z.array(
    z.object({
      slug: z.string(),
      ok: z.boolean(),
      changes: installResultSchema.shape.changes.optional(),
      failure: failureSchema.optional(),
    }),
  ),
})
export type RefreshResult = z.infer<typeof refreshResultSchema>

/** One side of a difference. */
const toolTextsSchema = z.object({ description: z.string(), parameters: jsonObjectSchema })

export const reviewToolSchema = z.object({
  id: z.string(),
  remoteName: z.string(),
  kind: z.enum(['changed', 'added', 'gone', 'renamed']),
  /** The ID it had, for `renamed`. */
  formerId: z.string().optional(),
  /** As approved; absent when nothing was. */
  before: toolTextsSchema.optional(),
  /** As the server offers it now; absent when it does not. */
  after: toolTextsSchema.optional(),
  warnings: z.array(toolWarningSchema),
  otherTools: z.array(z.string()),
  /** Profiles whose tools.txt names it. */
  enabledIn: z.array(z.string()),
})
export type ReviewTool = z.infer<typeof reviewToolSchema>

export const spaceReviewSchema = z.object({
  slug: z.string(),
  title: z.string(),
  emoji: z.string().optional(),
  official: z.boolean(),
  /** Milliseconds since 1970. */
  approvedAt: z.number().nullable(),
  changedAt: z.number(),
  /** The address or the visibility differs from the approved one. */
  address: z.object({ before: z.string(), after: z.string() }).optional(),
  nowPrivate: z.boolean().optional(),
  /** The Space has this name now; saying yes installs it under it, with new tool IDs. */
  movedTo: z.string().optional(),
  tools: z.array(reviewToolSchema),
})
export type SpaceReview = z.infer<typeof spaceReviewSchema>

/** A manifest of the robot's own app found on this computer. */
export const upstreamManifestSchema = z.object({
  /** Absolute path of the file. */
  path: z.string(),
  problem: problemSchema.optional(),
  spaces: z.array(
    z.object({ slug: z.string(), tools: z.number().int(), here: z.enum(['missing', 'same', 'different']) }),
  ),
})
export type UpstreamManifest = z.infer<typeof upstreamManifestSchema>
