import { z } from 'zod'

import { PROFILE_NAME } from './constants.ts'
import { errorCodeSchema, detailsSchema, problemSchema } from './errors.ts'

/** Device names are refused by the room. */
export const profileNameSchema = z.string().regex(PROFILE_NAME)

export const profileSourceSchema = z.enum(['shipped', 'user', 'external'])

export const profileSummarySchema = z.object({
  name: z.string(),
  source: profileSourceSchema,
  /** A copy of a shipped profile in the data directory, which hides the shipped one. */
  edited: z.boolean(),
  hidden: z.boolean(),
  problem: problemSchema.optional(),
})
export type ProfileSummary = z.infer<typeof profileSummarySchema>

export const profilesSnapshotSchema = z.object({
  version: z.number().int(),
  active: z.string(),
  /** Where the choice comes from; `fallback`: the chosen one cannot be used, `default` is in force. */
  activeFrom: z.enum(['app', 'environment', 'default', 'fallback']),
  wanted: z.string().optional(),
  problem: problemSchema.optional(),
  profiles: z.array(profileSummarySchema),
})
export type ProfilesSnapshot = z.infer<typeof profilesSnapshotSchema>

export const fileProblemSchema = z.object({
  file: z.string(),
  /** From 1; `null` for the file as a whole. */
  line: z.number().int().nullable(),
  code: errorCodeSchema,
  details: detailsSchema.optional(),
  suggestion: z.string().optional(),
})
export type FileProblem = z.infer<typeof fileProblemSchema>

/** A profile as it is on disk. Texts are exact: a leading BOM and every line ending are kept. */
export const profileDocumentSchema = z.object({
  name: z.string(),
  source: profileSourceSchema,
  edited: z.boolean(),
  path: z.string(),
  /** `null`: no tools.txt, the list of `default` is inherited. */
  toolsText: z.string().nullable(),
  inheritedToolsText: z.string(),
  instructionsText: z.string(),
  voice: z.string().optional(),
  greeting: z.string().optional(),
  /** Changes when tools.txt or instructions.txt changed on disk. */
  revision: z.string(),
  /** Files that cannot be edited here (not UTF-8, NUL, a directory): shown, never written. */
  readOnlyFiles: z.array(z.string()),
  problems: z.array(fileProblemSchema),
})
export type ProfileDocument = z.infer<typeof profileDocumentSchema>

/** An unsaved tools.txt, read the way the registry reads it. */
export const toolsDraftSchema = z.object({
  toolsText: z.string(),
  /** IDs of active lines, first occurrence of each, in order. */
  ids: z.array(z.string()),
  problems: z.array(fileProblemSchema),
})
export type ToolsDraft = z.infer<typeof toolsDraftSchema>
