import { z } from 'zod'

import { MAX_ADDED_ROBOTS } from './constants.ts'

export const languageSchema = z.enum(['en', 'zh-CN', 'fr'])
export type Language = z.infer<typeof languageSchema>

export const providerSettingsSchema = z.object({
  kind: z.enum(['offline', 'openai-compatible']),
  baseUrl: z.string(),
  model: z.string(),
})
export type ProviderSettings = z.infer<typeof providerSettingsSchema>

/** `settings.json`. Every key has a default, so that an older or a partly broken file still gives the rest. */
export const settingsSchema = z.object({
  schemaVersion: z.literal(1).default(1),
  language: z.union([z.literal('system'), languageSchema]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  activeProfile: z.string().nullable().default(null),
  provider: providerSettingsSchema.default({ kind: 'offline', baseUrl: '', model: '' }),
  offerOfflineBrain: z.boolean().default(true),
  lastScreen: z.enum(['chat', 'spaces', 'profiles', 'robot', 'settings']).default('chat'),
  /** Absolute path of a robot app's list of Spaces that is worked on in place of our own. */
  toolSpacesInstance: z.string().nullable().optional(),
  /** Absolute path of a folder of the robot's app whose profiles are edited in place. */
  profilesFolder: z.string().nullable().optional(),
  /** ID of the robot that was connected last; absent: the simulator. */
  robot: z.string().nullable().optional(),
  /** Ports and addresses that the person added. */
  robots: z.array(z.string().max(300)).max(MAX_ADDED_ROBOTS).optional(),
})
export type Settings = z.infer<typeof settingsSchema>

export const settingsPatchSchema = z
  .object({
    language: z.union([z.literal('system'), languageSchema]),
    theme: z.enum(['system', 'light', 'dark']),
    provider: providerSettingsSchema,
    offerOfflineBrain: z.boolean(),
    lastScreen: z.enum(['chat', 'spaces', 'profiles', 'robot', 'settings']),
  })
  .partial()
export type SettingsPatch = z.infer<typeof settingsPatchSchema>

export const secretStateSchema = z.enum(['absent', 'ok', 'session', 'environment', 'undecryptable'])

export const settingsSnapshotSchema = z.object({
  version: z.number().int(),
  settings: settingsSchema,
  /** The language in force after "system" was resolved. */
  language: languageSchema,
  /** The provider in force: the app's own choice, else the environment's. */
  provider: providerSettingsSchema.extend({ from: z.enum(['app', 'environment', 'default']) }),
  modelKey: secretStateSchema,
  hubToken: secretStateSchema,
  protection: z.enum(['system', 'weak', 'none']),
  /** Set when settings.json could not be read: the file was kept under this name. */
  setAside: z.string().optional(),
})
export type SettingsSnapshot = z.infer<typeof settingsSnapshotSchema>
