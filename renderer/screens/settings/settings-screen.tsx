import { Globe, Info, Sun, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import {
  Banner,
  Button,
  FailureBanner,
  Field,
  PlanetIcon,
  Segmented,
  Select,
  Skeleton,
  Switch,
} from '../../components/index.ts'
import { useSettings } from '../../stores/settings.ts'
import { useToasts } from '../../stores/toasts.ts'

import { AboutSection } from './about-section.tsx'
import { ModelSection } from './model-section.tsx'
import { SecretField } from './secret-field.tsx'
import { Section } from './section.tsx'
import { errorsOf, formOf, isChanged, providerPatch } from './settings-form.ts'

import type { Failure, RouteRequest, SettingsSnapshot } from '../../../electron/contract/index.ts'
import type { SettingsForm } from './settings-form.ts'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'zh-CN', label: '简体中文' },
  { value: 'fr', label: 'Français' },
] as const

const SECTIONS = [
  { id: 'models', icon: <Zap /> },
  { id: 'hub', icon: <PlanetIcon /> },
  { id: 'appearance', icon: <Sun /> },
  { id: 'language', icon: <Globe /> },
  { id: 'about', icon: <Info /> },
] as const

function SectionList() {
  const { t } = useTranslation('settings')
  const show = (id: string): void => {
    const title = document.getElementById(`${id}-title`)
    document.getElementById(id)?.scrollIntoView({ block: 'start' })
    title?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={t('title')} className="narrow:hidden">
      <ul className="grid gap-0.5">
        {SECTIONS.map(({ id, icon }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => show(id)}
              className="flex min-h-8 w-full items-center gap-3 rounded-control px-3 text-left text-ink-2 hover:bg-hover hover:text-ink [&_svg]:size-4.5"
            >
              {icon}
              {t(`${id}.title`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The form as it is edited; follows what is stored as long as nothing was typed. */
function useForm(snapshot: SettingsSnapshot): {
  form: SettingsForm
  change: (change: Partial<SettingsForm>) => void
  reset: (snapshot: SettingsSnapshot) => void
} {
  const [form, setForm] = useState(() => formOf(snapshot))
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    if (!touched) setForm(formOf(snapshot))
  }, [snapshot, touched])
  return {
    form,
    change: (change) => {
      setTouched(true)
      setForm((held) => ({ ...held, ...change }))
    },
    reset: (stored) => {
      setTouched(false)
      setForm(formOf(stored))
    },
  }
}

async function saveForm(
  form: SettingsForm,
  accept: (snapshot: SettingsSnapshot) => void,
): Promise<Failure | SettingsSnapshot> {
  const secrets = [
    { name: 'model-key', value: form.modelKey.trim() },
    { name: 'hub-token', value: form.hubToken.trim() },
  ] as const
  for (const { name, value } of secrets) {
    if (value === '') continue
    const answer = await attempt('settings.setSecret', { name, value })
    if (!answer.ok) return answer.error
    accept(answer.value)
  }
  const answer = await attempt('settings.update', { provider: providerPatch(form) })
  if (answer.ok) accept(answer.value)
  return answer.ok ? answer.value : answer.error
}

function SettingsBody({ snapshot }: { snapshot: SettingsSnapshot }) {
  const { t } = useTranslation('settings')
  const accept = useSettings((state) => state.accept)
  const showToast = useToasts((state) => state.show)
  const { form, change, reset } = useForm(snapshot)
  const [tried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const errors = errorsOf(form)
  const shown = tried ? errors : {}
  const changed = isChanged(form, snapshot)

  const take = async (answer: ReturnType<typeof attempt<'settings.update'>>): Promise<void> => {
    const result = await answer
    setFailure(result.ok ? null : result.error)
    if (result.ok) accept(result.value)
  }
  const update = (patch: RouteRequest<'settings.update'>): Promise<void> => take(attempt('settings.update', patch))
  const clear = (name: 'model-key' | 'hub-token'): Promise<void> => take(attempt('settings.clearSecret', { name }))
  const save = async (): Promise<void> => {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    setSaving(true)
    const result = await saveForm(form, accept)
    setSaving(false)
    if ('code' in result) {
      setFailure(result)
      return
    }
    setFailure(null)
    setTried(false)
    reset(result)
    showToast({ text: t('saved') })
  }
  return (
    <>
      <header className="flex min-h-(--size-header) shrink-0 items-center gap-3 pr-4 pl-6 narrow:pr-3 narrow:pl-4">
        <h1 className="screen-title min-w-0 flex-1 truncate" tabIndex={-1}>
          {t('title')}
        </h1>
        {changed && <span className="text-small text-ink-3">{t('notSaved')}</span>}
        <Button variant="primary" busy={saving} disabled={!changed} onClick={() => void save()}>
          {t('save')}
        </Button>
      </header>
      <div className="grid min-h-0 flex-1 grid-cols-[11rem_1fr] narrow:grid-cols-1">
        <div className="border-r border-line px-2 pt-1 narrow:hidden">
          <SectionList />
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
          className="scroll-quiet grid content-start gap-7 overflow-y-auto px-6 pt-1 pb-8 narrow:px-4"
        >
          {/* Enter in any field saves. */}
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
          {failure && <FailureBanner failure={failure} />}
          {snapshot.setAside !== undefined && (
            <Banner tone="warn" title={t('setAside')}>
              {t('setAsideText', { file: snapshot.setAside })}
            </Banner>
          )}
          {snapshot.protection !== 'system' && (
            <Banner tone="warn" title={t(`protection.${snapshot.protection}`)}>
              {t('protection.text')}
            </Banner>
          )}
          <ModelSection
            snapshot={snapshot}
            form={form}
            errors={shown}
            onChange={change}
            onRemoveKey={() => void clear('model-key')}
          />
          <label className="flex items-start gap-3">
            <Switch
              label={t('models.offer')}
              checked={snapshot.settings.offerOfflineBrain}
              onChange={(offerOfflineBrain) => void update({ offerOfflineBrain })}
            />
            <span className="grid">
              <span className="font-medium">{t('models.offer')}</span>
              <span className="text-small text-ink-3">{t('models.offerText')}</span>
            </span>
          </label>
          <Section id="hub" title={t('hub.title')} text={t('hub.text')}>
            <SecretField
              label={t('hub.token')}
              state={snapshot.hubToken}
              value={form.hubToken}
              onChange={(hubToken) => change({ hubToken })}
              removeLabel={t('hub.removeToken')}
              onRemove={() => void clear('hub-token')}
              hint={t('hub.tokenHint')}
              error={shown.hubToken && t(`errors.${shown.hubToken}`)}
            />
          </Section>
          <Section id="appearance" title={t('appearance.title')}>
            <Segmented
              label={t('appearance.theme')}
              value={snapshot.settings.theme}
              onChange={(theme) => void update({ theme })}
              options={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                label: t(`appearance.${value}`),
              }))}
            />
          </Section>
          <Section id="language" title={t('language.title')}>
            <Field label={t('language.label')} hint={t('language.hint')} className="max-w-72">
              {({ id, ...described }) => (
                <Select
                  id={id}
                  label={t('language.label')}
                  aria-describedby={described['aria-describedby']}
                  value={snapshot.settings.language}
                  onChange={(language) => void update({ language })}
                  options={[
                    {
                      value: 'system',
                      label: t('language.system', {
                        name: LANGUAGES.find(({ value }) => value === snapshot.language)?.label ?? '',
                      }),
                    },
                    ...LANGUAGES,
                  ]}
                />
              )}
            </Field>
          </Section>
          <AboutSection />
        </form>
      </div>
    </>
  )
}

/** Model, account, appearance and language. */
export function SettingsScreen() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const snapshot = useSettings((state) => state.snapshot)
  const failure = useSettings((state) => state.failure)
  const load = useSettings((state) => state.load)
  if (snapshot) return <SettingsBody snapshot={snapshot} />
  return (
    <div className="grid gap-4 p-6">
      <h1 className="screen-title" tabIndex={-1}>
        {t('title')}
      </h1>
      {failure ? (
        <FailureBanner failure={failure} action={<Button onClick={() => void load()}>{common('retry')}</Button>} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </div>
  )
}
