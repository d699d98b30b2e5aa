/** What `settings.json` and the environment mean; pure. */
import { z } from 'zod'

import { settingsSchema } from '../contract/index.ts'

import type { Language, ProviderSettings, Settings } from '../contract/index.ts'

/** The file as it is: an object, every key kept. A newer schema is not guessed at. */
export const settingsFileSchema = z.looseObject({ schemaVersion: z.literal(1).optional() })
export type SettingsFile = z.infer<typeof settingsFileSchema>

export type Environment = Readonly<Record<string, string | undefined>>

/** Address of OpenAI's API, which `OPENAI_API_KEY` alone stands for (the default of OpenAI's own libraries). */
const OPENAI_BASE_URL = 'https://api.openai.com/v1'

/** Key by key: one bad value falls back to its default and leaves the others in force. */
export function settingsOf(file: SettingsFile): Settings {
  const good = Object.entries(settingsSchema.shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(file[key])
    return key in file && parsed.success ? [[key, parsed.data] as const] : []
  })
  return settingsSchema.parse(Object.fromEntries(good))
}

/** The interface language for a system's locale (`fr-CA`, `zh_TW.UTF-8`, `C`): English unless we have a better one. */
export function languageFor(locale: string): Language {
  const primary = locale.toLowerCase().split(/[-_.@]/)[0]
  if (primary === 'fr') return 'fr'
  return primary === 'zh' ? 'zh-CN' : 'en'
}

export type ProviderInForce = ProviderSettings & { from: 'app' | 'environment' | 'default' }

/**
 * The app's own choice counts once it is complete, the offline brain being one; else the environment's, once address
 * and model are known; else the offline brain.
 */
export function providerFor(file: SettingsFile, env: Environment): ProviderInForce {
  const { provider } = settingsOf(file)
  const chosen = 'provider' in file && settingsSchema.shape.provider.safeParse(file['provider']).success
  const complete = provider.kind === 'offline' || (provider.baseUrl.trim() !== '' && provider.model.trim() !== '')
  if (chosen && complete) return { ...provider, from: 'app' }
  return environmentProvider(env) ?? { kind: 'offline', baseUrl: '', model: '', from: 'default' }
}

function environmentProvider(env: Environment): ProviderInForce | null {
  const key = valueOf(env, 'OPENAI_API_KEY')
  const baseUrl = valueOf(env, 'OPENAI_BASE_URL') ?? (key === null ? null : OPENAI_BASE_URL)
  const model = valueOf(env, 'REACHY_MINI_COMPANION_MODEL')
  if (baseUrl === null || model === null) return null
  return { kind: 'openai-compatible', baseUrl, model, from: 'environment' }
}

/** `null` for a variable that is absent or blank. */
export function valueOf(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}
