import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { TOOL_LANGUAGES } from '../../../../electron/contract/constants.ts'
import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Banner, Button, Dialog, FailureBanner, Field, Input, Segmented, Select } from '../../../components/index.ts'
import { useDrafts } from '../draft-store.ts'

import { EXTENSIONS, fileName, fileNameFault } from './file-facts.ts'
import { useLocalDialog } from './local-store.ts'

import type { Failure, ToolEntry, ToolFileInfo, ToolLanguage } from '../../../../electron/contract/index.ts'
import type { SyntheticEvent } from 'react'

interface NewFileDialogProps {
  /** The profile on screen. */
  profile: string
  tools: readonly ToolEntry[]
  onClose: () => void
}

/** A working tool to begin with, in the person's own folder. */
export function NewFileDialog({ profile, tools, onClose }: NewFileDialogProps) {
  const [made, setMade] = useState<ToolFileInfo | null>(null)
  if (made) return <Made file={made} onClose={onClose} />
  return <Form profile={profile} tools={tools} onClose={onClose} onMade={setMade} />
}

function Form({ profile, tools, onClose, onMade }: NewFileDialogProps & { onMade: (file: ToolFileInfo) => void }) {
  const { t } = useTranslation('local')
  // A shipped profile's folder belongs to the app: the first save makes one of the person's own.
  const canHere = useDrafts((state) => state.drafts[profile]?.document.source !== 'shipped')
  const [language, setLanguage] = useState<ToolLanguage>('javascript')
  const [name, setName] = useState('')
  const [place, setPlace] = useState<'all' | 'here'>('all')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fault = fileNameFault(name, tools)
  const shown = fault !== null && (tried || fault !== 'empty') ? t(`create.${fault}`) : undefined
  const refused = failure ? failureText(t, failure) : null

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (fault !== null || busy) return
    setBusy(true)
    const answer = await attempt('tools.createFile', { language, name, profile: place === 'here' ? profile : null })
    setBusy(false)
    if (answer.ok) onMade(answer.value)
    else setFailure(answer.error)
  }
  return (
    <Dialog
      open
      width="s"
      title={t('create.title')}
      description={t('create.text')}
      onClose={onClose}
      locked={busy}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form="new-tool-file" variant="primary" busy={busy}>
            {t('create.submit')}
          </Button>
        </>
      }
    >
      <form id="new-tool-file" onSubmit={(event) => void submit(event)} className="grid gap-4">
        <div>
          <Segmented
            label={t('fact.language')}
            value={language}
            onChange={setLanguage}
            options={TOOL_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
          />
          <p className="pt-1.5 text-small text-ink-3">{t(`create.about.${language}`)}</p>
        </div>
        <Field
          label={t('create.name')}
          hint={t('create.nameHint', { file: `${name || 'my_tool'}${EXTENSIONS[language]}` })}
          error={shown ?? (refused ? [refused.message, refused.hint].filter(Boolean).join(' ') : undefined)}
        >
          {(control) => (
            <Input
              {...control}
              data-autofocus=""
              value={name}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setName(event.target.value.trim())
                setFailure(null)
              }}
            />
          )}
        </Field>
        <Field label={t('create.for')} hint={canHere ? undefined : t('create.shipped')}>
          {(control) => (
            <Select
              {...control}
              label={t('create.for')}
              value={place}
              onChange={setPlace}
              options={[
                { value: 'all', label: t('fact.everywhere') },
                { value: 'here', label: t('fact.only', { name: profile }), disabled: !canHere },
              ]}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

/** What was made, where it lies, and what to do with it. */
function Made({ file, onClose }: { file: ToolFileInfo; onClose: () => void }) {
  const { t } = useTranslation('local')
  const [failure, setFailure] = useState<Failure | null>(null)
  const name = fileName(file.path)
  const id = name.slice(0, name.lastIndexOf('.'))
  const show = async (): Promise<void> => {
    const answer = await attempt('tools.showFile', { path: file.path })
    setFailure(answer.ok ? null : answer.error)
  }
  return (
    <Dialog
      open
      title={t('create.made', { name })}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('close', { ns: 'common' })}</Button>
          <Button data-autofocus="" onClick={() => void show()}>
            {t('show')}
          </Button>
          <Button
            variant="primary"
            onClick={() => useLocalDialog.getState().open({ kind: 'allow', id, path: file.path })}
          >
            {t('allow.named', { id })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {failure && <FailureBanner failure={failure} />}
        <p className="mono rounded-control bg-sunken px-3 py-2 wrap-anywhere text-ink">{file.path}</p>
        <ol className="grid list-decimal gap-1 pl-5 text-body text-ink-2 marker:text-ink-3">
          <li>{t('create.next.edit')}</li>
          <li>{t('create.next.allow')}</li>
          <li>{t('create.next.turnOn', { id })}</li>
        </ol>
        <Banner title={t('create.works')}>{t('create.worksText')}</Banner>
      </div>
    </Dialog>
  )
}
