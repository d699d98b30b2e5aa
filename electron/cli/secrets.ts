import { CompanionError } from '../contract/index.ts'

import type { AppSecretName, SecretName, Secrets } from '../contract/index.ts'

const VARIABLE: Readonly<Record<AppSecretName, string>> = { 'hub-token': 'HF_TOKEN', 'model-key': 'OPENAI_API_KEY' }

/** The command line cannot open the desktop's encrypted store: keys come from the environment and are never kept. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  const isAppSecret = (name: SecretName): name is AppSecretName => Object.hasOwn(VARIABLE, name)
  const value = (name: SecretName): string | null => (isAppSecret(name) ? env[VARIABLE[name]] : undefined) || null
  const refuse = (): never => {
    throw new CompanionError('secrets/unavailable')
  }
  return {
    protection: 'none',
    get: async (name) => value(name),
    state: async (name) => (value(name) === null ? 'absent' : 'environment'),
    set: async () => refuse(),
    clear: async () => refuse(),
  }
}
