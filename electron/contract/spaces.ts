import { z } from 'zod'

import { INSTALL_STEPS } from './constants.ts'
import { failureSchema, problemSchema } from './errors.ts'
import { jsonObjectSchema, remoteToolSchema } from './tools.ts'

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

export const spaceFilterSchema = z.enum(['reachy-mini', 'mcp', 'running', 'official'])
export type SpaceFilter = z.infer<typeof spaceFilterSchema>
export const spaceSortSchema = z.enum(['likes', 'trendingScore', 'lastModified'])
export type SpaceSort = z.infer<typeof spaceSortSchema>

export const spaceSearchSchema = z.object({
  results: z.array(spaceCardSchema),
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
})
export type InstalledSpace = z.infer<typeof installedSpaceSchema>

export const spacesSnapshotSchema = z.object({
  version: z.number().int(),
  manifest: z.string(),
  /** The file cannot be read or was written by a newer version: nothing is written until that is repaired. */
  readOnly: z.boolean(),
  spaces: z.array(installedSpaceSchema),
  problems: z.array(z.object({ entry: z.string(), problem: problemSchema })),
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

export const toolWarningSchema = z.enum(['gives-orders', 'names-other-tools', 'invisible-characters', 'very-long'])
export type ToolWarning = z.infer<typeof toolWarningSchema>

export const previewToolSchema = remoteToolSchema.extend({
  parameters: jsonObjectSchema,
  warnings: z.array(toolWarningSchema),
  /** Against the approved version, for a Space that is installed already. */
  change: z.enum(['new', 'changed', 'same']).optional(),
})
export type PreviewTool = z.infer<typeof previewToolSchema>

export const spacePreviewSchema = z.object({
  operationId: z.string(),
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  emoji: z.string().optional(),
  official: z.boolean(),
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
  enabled: z.object({ profile: z.string().nullable(), added: z.array(z.string()) }),
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
