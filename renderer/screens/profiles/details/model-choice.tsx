import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { Field, Input } from '../../../components/index.ts'
import { useSettings } from '../../../stores/settings.ts'

import type { DetailsForm, ModelChoice as Choice } from './details-form.ts'

const CHOICES = ['app', 'offline', 'named'] as const satisfies readonly Choice[]

export interface ModelChoiceProps {
  form: Pick<DetailsForm, 'model' | 'modelName'>
  error: boolean
  onChange: (change: Partial<DetailsForm>) => void
}

/** Which model speaks in this profile: the app's, the offline brain, or another one at the app's address. */
export function ModelChoice({ form, error, onChange }: ModelChoiceProps) {
  const { t } = useTranslation('local')
  const name = useId()
  const provider = useSettings((state) => state.snapshot?.provider)
  const isRemote = provider?.kind === 'openai-compatible'
  const notes: Record<Choice, string> = {
    app: isRemote ? t('model.appIs', { model: provider.model, address: provider.baseUrl }) : t('model.appIsOffline'),
    offline: t('model.offlineNote'),
    named: isRemote ? t('model.namedNote', { address: provider.baseUrl }) : t('model.noAddress'),
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-strong">{t('model.title')}</legend>
      {CHOICES.map((value) => (
        <label key={value} className="flex items-start gap-2.5">
          <input
            type="radio"
            name={name}
            value={value}
            checked={form.model === value}
            onChange={() => onChange({ model: value })}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className="grid min-w-0">
            <span>{t(`model.choice.${value}`)}</span>
            <span className="text-small wrap-anywhere text-ink-3">{notes[value]}</span>
          </span>
        </label>
      ))}
      {form.model === 'named' && (
        <Field label={t('model.name')} error={error ? t('model.empty') : undefined} className="pl-6.5">
          {(control) => (
            <Input
              {...control}
              value={form.modelName}
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => onChange({ modelName: event.target.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}
