import type { RouteRequest, SettingsSnapshot } from '../../../electron/contract/index.ts'

/** What stands in the fields that are saved together. Secrets are only ever typed in, never shown. */
export interface SettingsForm {
  kind: 'offline' | 'openai-compatible'
  baseUrl: string
  model: string
  modelKey: string
  hubToken: string
}

export function formOf(snapshot: SettingsSnapshot): SettingsForm {
  const { kind, baseUrl, model } = snapshot.provider
  return { kind, baseUrl, model, modelKey: '', hubToken: '' }
}

export function isChanged(form: SettingsForm, snapshot: SettingsSnapshot): boolean {
  const stored = formOf(snapshot)
  return (Object.keys(stored) as (keyof SettingsForm)[]).some((key) => form[key].trim() !== stored[key])
}

export interface FormErrors {
  baseUrl?: 'needed' | 'badAddress'
  model?: 'needed'
  hubToken?: 'notAToken'
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a model can be asked at this address: https, or http on this computer. */
export function isModelAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
}

/** What keeps the form from being saved. A Hub token begins with `hf_` (the Hub's own rule). */
export function errorsOf(form: SettingsForm): FormErrors {
  const address = form.baseUrl.trim()
  const token = form.hubToken.trim()
  const errors: FormErrors = {}
  if (form.kind === 'openai-compatible') {
    if (address === '') errors.baseUrl = 'needed'
    else if (!isModelAddress(address)) errors.baseUrl = 'badAddress'
    if (form.model.trim() === '') errors.model = 'needed'
  }
  if (token !== '' && !/^hf_\w+$/.test(token)) errors.hubToken = 'notAToken'
  return errors
}

/** The provider as it is stored: what was typed for the other kind is kept, so that going back loses nothing. */
export function providerPatch(form: SettingsForm): NonNullable<RouteRequest<'settings.update'>['provider']> {
  return { kind: form.kind, baseUrl: form.baseUrl.trim(), model: form.model.trim() }
}
