import { z } from 'zod'

import { AVATAR_TINTS, PROFILE_FILES, PROFILE_NAME } from './constants.ts'
import { errorCodeSchema, detailsSchema, problemSchema } from './errors.ts'

/** Device names are refused by the room. */
export const profileNameSchema = z.string().regex(PROFILE_NAME)

export const profileSourceSchema = z.enum(['shipped', 'user', 'external'])

export const profileFileSchema = z.enum(PROFILE_FILES)
export type ProfileFile = z.infer<typeof profileFileSchema>

/** How the little face of a profile is drawn. */
export const avatarSchema = z.object({
  /** Tilt of the head to its own right, degrees. */
  roll: z.number().min(-15).max(15),
  /** Right and left antenna, degrees outwards from upright. */
  antennas: z.tuple([z.number().min(-60).max(60), z.number().min(-60).max(60)]),
  /** Where the eyes look: to the right and down, each −1 … 1. */
  gaze: z.tuple([z.number().min(-1).max(1), z.number().min(-1).max(1)]),
  /** Colour of the antenna tips. */
  tint: z.enum(AVATAR_TINTS),
})
export type Avatar = z.infer<typeof avatarSchema>

/** The model that a profile speaks with: a name at the address that is set in the app, or the offline brain. */
export const profileModelSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offline') }),
  z.object({ kind: z.literal('named'), model: z.string().min(1).max(200) }),
])
export type ProfileModel = z.infer<typeof profileModelSchema>

/** What a profile says of a tool beyond on and off. It can only be stricter than what holds for the tool everywhere. */
export const profilePermissionSchema = z.enum(['ask', 'refuse'])
export type ProfilePermission = z.infer<typeof profilePermissionSchema>

/** What the app keeps about a profile beside its files. */
export const profileDetailsSchema = z.object({
  /** Shown instead of the name; may contain anything. */
  title: z.string().max(80).optional(),
  /** One line of what it is for. */
  purpose: z.string().max(200).optional(),
  avatar: avatarSchema.optional(),
  hidden: z.boolean().optional(),
  model: profileModelSchema.optional(),
  /** By tool ID. */
  permissions: z.record(z.string().max(300), profilePermissionSchema).optional(),
})
export type ProfileDetails = z.infer<typeof profileDetailsSchema>

export const profileSummarySchema = z.object({
  name: z.string(),
  source: profileSourceSchema,
  /** A copy of a shipped profile in the data directory, which hides the shipped one. */
  edited: z.boolean(),
  hidden: z.boolean(),
  problem: problemSchema.optional(),
  title: z.string().optional(),
  /** In the language of the app where the profile is a shipped one. */
  purpose: z.string().optional(),
  avatar: avatarSchema.optional(),
  model: profileModelSchema.optional(),
  /** Folder on disk. */
  path: z.string(),
  /** How it is kept on disk: four text files, or the one file of the robot app from 0.11 on. */
  format: z.enum(['txt', 'profile-md']),
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
  /** Folder of the robot's own app whose profiles are edited in place. */
  folder: z
    .object({ path: z.string(), from: z.enum(['app', 'environment']), problem: problemSchema.optional() })
    .optional(),
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

/** One way to make a file readable again. */
export const repairSchema = z.discriminatedUnion('kind', [
  /** Read it as Windows-1252 and write it as UTF-8; `line` is what the broken line becomes. */
  z.object({ kind: z.literal('windows-1252'), line: z.string() }),
  /** The text that was last saved here. */
  z.object({ kind: z.literal('backup'), savedAt: z.number(), characters: z.number().int() }),
  /** The shipped file. */
  z.object({ kind: z.literal('shipped'), characters: z.number().int() }),
  /** Set it aside under another name and begin with the text of `default`. */
  z.object({ kind: z.literal('set-aside') }),
])
export type Repair = z.infer<typeof repairSchema>
export const repairKindSchema = z.enum(['windows-1252', 'backup', 'shipped', 'set-aside'])
export type RepairKind = z.infer<typeof repairKindSchema>

/** A file of a profile that is no text, shown and never written but by a repair that a person chose. */
export const brokenFileSchema = z.object({
  file: profileFileSchema,
  problem: problemSchema,
  /** Of the first bad byte, from 1; absent for what is no text file at all. */
  line: z.number().int().optional(),
  /** Lines around it; `bad` is the offending byte as two hexadecimal digits, between `before` and `after`. */
  excerpt: z.array(
    z.object({
      line: z.number().int(),
      before: z.string(),
      bad: z.string().optional(),
      after: z.string(),
    }),
  ),
  repairs: z.array(repairSchema),
})
export type BrokenFile = z.infer<typeof brokenFileSchema>

/** The four texts of a profile as they are on disk, to the byte; `null`: no such file. */
export const profileTextsSchema = z.object({
  'tools.txt': z.string().nullable(),
  'instructions.txt': z.string().nullable(),
  'voice.txt': z.string().nullable(),
  'greeting.txt': z.string().nullable(),
})
export type ProfileTexts = z.infer<typeof profileTextsSchema>

/** A profile as it is on disk. Texts are exact: a leading BOM and every line ending are kept. */
export const profileDocumentSchema = z.object({
  name: z.string(),
  source: profileSourceSchema,
  edited: z.boolean(),
  path: z.string(),
  format: z.enum(['txt', 'profile-md']),
  /** `tools.txt: null`: the list of `default` is inherited. A file that is no text is shown as near as possible. */
  texts: profileTextsSchema,
  inheritedToolsText: z.string(),
  /** Trimmed, as the model gets them; absent when empty. */
  voice: z.string().optional(),
  greeting: z.string().optional(),
  /** Changes when one of the four files changed on disk. */
  revision: z.string(),
  /** Files that cannot be edited here (not UTF-8, NUL, a directory): shown, never written. */
  readOnlyFiles: z.array(profileFileSchema),
  broken: z.array(brokenFileSchema),
  problems: z.array(fileProblemSchema),
  details: profileDetailsSchema,
  /** The profile's folder holds files that the app keeps as they are: tools of its own, pictures. */
  otherFiles: z.array(z.string()),
})
export type ProfileDocument = z.infer<typeof profileDocumentSchema>

/** An unsaved profile, read the way the registry and the chat read it. */
export const profileDraftSchema = z.object({
  /** `null`: still the inherited list. */
  toolsText: z.string().nullable(),
  /** IDs of active lines, first occurrence of each, in order. */
  ids: z.array(z.string()),
  /** Of all four files. */
  problems: z.array(fileProblemSchema),
})
export type ProfileDraft = z.infer<typeof profileDraftSchema>

/** One piece of the prompt that a model gets, in order. */
export const promptPartSchema = z.object({
  /** `profile`: lines of instructions.txt; `default`: in the place of `[default_prompt]`, or because the profile has none;
   * `placeholder`: another known name; `app`: what the app adds for every profile; `memory`: remembered facts. */
  origin: z.enum(['profile', 'default', 'placeholder', 'app', 'memory']),
  /** Name of the placeholder. */
  name: z.string().optional(),
  text: z.string(),
  /** Estimate. */
  tokens: z.number().int(),
})
export type PromptPart = z.infer<typeof promptPartSchema>

export const promptSchema = z.object({
  parts: z.array(promptPartSchema),
  /** The parts as the model reads them, joined. */
  text: z.string(),
  tokens: z.number().int(),
  /** Characters of the profile's own prompt, placeholders written out. */
  characters: z.number().int(),
  /** Enabled tools of Spaces, servers and files that the prompt never mentions. */
  unmentioned: z.array(z.string()),
  /** The greeting's prompt in force, with where it comes from. */
  greeting: z.object({ text: z.string(), from: z.enum(['profile', 'app']) }),
  voice: z.object({ name: z.string(), from: z.enum(['profile', 'app']) }),
})
export type Prompt = z.infer<typeof promptSchema>

/** Unsaved texts of one profile, kept so that they survive a crash. */
export const unsavedProfileSchema = z.object({
  name: z.string(),
  /** What the texts were made from. */
  base: profileTextsSchema,
  texts: profileTextsSchema,
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type UnsavedProfile = z.infer<typeof unsavedProfileSchema>

/** A profile found by an import, before anything is written. */
export const importCandidateSchema = z.object({
  key: z.string(),
  /** Name that it would get; the person may choose another. */
  name: z.string(),
  /** Name it had, where that cannot be kept. */
  originalName: z.string().optional(),
  /** A profile of that name exists. */
  taken: z.boolean(),
  /** What was found; with `both` the person picks one. */
  format: z.enum(['txt', 'profile-md', 'both']),
  /** With `both`: whether they say the same. */
  differs: z.boolean().optional(),
  toolIds: z.array(z.string()),
  /** First lines of the prompt. */
  excerpt: z.string(),
  voice: z.string().optional(),
  /** Tool files that lie in it: listed, never run, copied only with an explicit yes. */
  toolFiles: z.array(z.string()),
  problems: z.array(fileProblemSchema),
})
export type ImportCandidate = z.infer<typeof importCandidateSchema>

export const importPreviewSchema = z.object({
  importId: z.string(),
  /** Folder, file, or repository it comes from. */
  from: z.string(),
  kind: z.enum(['folder', 'zip', 'hub']),
  profiles: z.array(importCandidateSchema),
  /** Entries that were left out, and why. */
  refused: z.array(z.object({ entry: z.string(), problem: problemSchema })),
})
export type ImportPreview = z.infer<typeof importPreviewSchema>

export const importPickSchema = z.object({
  key: z.string().max(300),
  name: z.string().max(200),
  format: z.enum(['txt', 'profile-md']).optional(),
  withToolFiles: z.boolean().default(false),
})
export type ImportPick = z.infer<typeof importPickSchema>

export const exportFormatSchema = z.enum(['folder', 'zip', 'profile-md'])
export type ExportFormat = z.infer<typeof exportFormatSchema>

/** What an export would write, and what its format cannot hold. */
export const exportPlanSchema = z.object({
  name: z.string(),
  format: exportFormatSchema,
  files: z.array(z.object({ path: z.string(), bytes: z.number().int() })),
  problems: z.array(fileProblemSchema),
})
export type ExportPlan = z.infer<typeof exportPlanSchema>
