import { Check, RotateCw } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { formatNumber } from '../../app/format.ts'
import { Button, FailureBanner, Field, Input, StateLamp } from '../../components/index.ts'

import { SecretField } from './secret-field.tsx'
import { Section } from './section.tsx'
import { errorsOf } from './settings-form.ts'

import type { Failure, RouteResponse, SettingsSnapshot } from '../../../electron/contract/index.ts'
import type { FormErrors, SettingsForm } from './settings-form.ts'

export interface ModelSectionProps {
  snapshot: SettingsSnapshot
  form: SettingsForm
  errors: FormErrors
  onChange: (change: Partial<SettingsForm>) => void
  onRemoveKey: () => void
}

type TestState =
  | { state: 'idle' }
  | { state: 'asking' }
  | { state: 'failed'; failure: Failure }
  | ({ state: 'done' } & RouteResponse<'settings.testProvider'>)

function KindRadio({
  value,
  title,
  text,
  lamp,
}: {
  value: SettingsForm['kind']
  title: string
  text: string
  lamp?: string | undefined
}) {
  const id = `provider-${value}`
  return (
    <div className="flex items-center gap-3">
      <RadioGroup.Item
        id={id}
        value={value}
        aria-describedby={`${id}-text`}
        className="grid size-4.5 shrink-0 place-items-center rounded-full border border-control bg-raised data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <RadioGroup.Indicator className="size-2 rounded-full bg-on-accent" />
      </RadioGroup.Item>
      <div className="grid min-w-0 flex-1">
        <label htmlFor={id} className="font-medium">
          {title}
        </label>
        <span id={`${id}-text`} className="text-small text-ink-3">
          {text}
        </span>
      </div>
      {lamp && <StateLamp tone="on">{lamp}</StateLamp>}
    </div>
  )
}

function TestResult({ test }: { test: TestState }) {
  const { t, i18n } = useTranslation('settings')
  if (test.state === 'failed') return <FailureBanner failure={test.failure} />
  if (test.state !== 'done') return null
  const ms = formatNumber(i18n.language, Math.round(test.latencyMs))
  return (
    <p role="status" className="flex items-center gap-1.5 text-small text-ink-2">
      <Check aria-hidden="true" className="size-4 text-success" />
      {test.calledTool ? t('models.testTool', { ms }) : t('models.testText', { ms })}
    </p>
  )
}

/** Who answers in Chat. */
export function ModelSection({ snapshot, form, errors, onChange, onRemoveKey }: ModelSectionProps) {
  const { t } = useTranslation('settings')
  const [test, setTest] = useState<TestState>({ state: 'idle' })
  const model = (change: Partial<SettingsForm>): void => {
    setTest({ state: 'idle' })
    onChange({ kind: 'openai-compatible', ...change })
  }
  const { baseUrl: badAddress, model: badModel } = errorsOf({ ...form, kind: 'openai-compatible' })
  const ask = async (): Promise<void> => {
    setTest({ state: 'asking' })
    const key = form.modelKey.trim()
    const answer = await attempt('settings.testProvider', {
      baseUrl: form.baseUrl.trim(),
      model: form.model.trim(),
      ...(key === '' ? {} : { key }),
    })
    setTest(answer.ok ? { state: 'done', ...answer.value } : { state: 'failed', failure: answer.error })
  }
  return (
    <Section id="models" title={t('models.title')} text={t('models.text')}>
      <RadioGroup.Root
        aria-label={t('models.who')}
        value={form.kind}
        onValueChange={(kind) => onChange({ kind: kind === 'offline' ? 'offline' : 'openai-compatible' })}
        className="grid gap-3"
      >
        <KindRadio
          value="offline"
          title={t('models.offline')}
          text={t('models.offlineText')}
          lamp={t('models.ready')}
        />
        <KindRadio value="openai-compatible" title={t('models.compatible')} text={t('models.compatibleText')} />
      </RadioGroup.Root>
      {snapshot.provider.from === 'environment' && (
        <p className="text-small text-ink-3">{t('models.fromEnvironment')}</p>
      )}
      <div className="grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
        <Field
          label={t('models.address')}
          hint={t('models.addressHint')}
          error={errors.baseUrl && t(`errors.${errors.baseUrl}`)}
        >
          {(control) => (
            <Input
              {...control}
              value={form.baseUrl}
              onChange={(event) => model({ baseUrl: event.target.value })}
              placeholder="https://router.huggingface.co/v1"
              spellCheck={false}
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label={t('models.model')}
          hint={t('models.modelHint')}
          error={errors.model && t(`errors.${errors.model}`)}
        >
          {(control) => (
            <Input
              {...control}
              value={form.model}
              onChange={(event) => model({ model: event.target.value })}
              placeholder="openai/gpt-oss-120b"
              spellCheck={false}
              autoComplete="off"
            />
          )}
        </Field>
        <SecretField
          label={t('models.key')}
          state={snapshot.modelKey}
          value={form.modelKey}
          onChange={(modelKey) => model({ modelKey })}
          removeLabel={t('models.removeKey')}
          onRemove={onRemoveKey}
          hint={t('models.keyHint')}
        />
        <div className="grid content-start gap-1.5">
          <span className="text-small font-medium text-ink-2">{t('models.testLabel')}</span>
          <Button
            className="justify-self-start"
            icon={<RotateCw />}
            busy={test.state === 'asking'}
            disabled={badAddress !== undefined || badModel !== undefined}
            onClick={() => void ask()}
          >
            {t('models.test')}
          </Button>
          <p className="text-small text-ink-3">{t('models.testHint')}</p>
        </div>
      </div>
      <TestResult test={test} />
    </Section>
  )
}
