import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useReturnFocus } from '../../app/use-return-focus.ts'
import { Button, Dialog, Field, Input, Select } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'
import { tellUndoable } from './profile-actions.ts'
import { copyName, nameFault } from './profile-name.ts'

import type { Failure, ProfileSummary } from '../../../electron/contract/index.ts'
import type { SyntheticEvent } from 'react'

export interface NameDialogProps {
  /** `new`: a copy of one that is chosen here; `duplicate`: of `name`; `rename`: another name for `name`. */
  kind: 'new' | 'duplicate' | 'rename'
  name: string
  profiles: readonly ProfileSummary[]
  onClose: () => void
}

/** Asks for the name of a new profile, of a copy, or for another name. */
export function NameDialog({ kind, name: about, profiles, onClose }: NameDialogProps) {
  const { t } = useTranslation('profiles')
  useReturnFocus(true)
  const sources = profiles.filter((profile) => !profile.hidden && !profile.problem)
  const taken = profiles.map((profile) => profile.name).filter((name) => kind !== 'rename' || name !== about)
  const [name, setName] = useState(kind === 'rename' ? about : kind === 'duplicate' ? copyName(about, taken) : '')
  const [source, setSource] = useState(sources.some((profile) => profile.name === about) ? about : 'default')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fault = nameFault(name, taken)
  // An empty field is no mistake before the button was pressed.
  const shown =
    fault !== null && (tried || fault !== 'empty') ? (fault === 'device' ? t('nameFault.device') : t(`create.${fault}`)) : undefined

  const create = async (): Promise<Failure | null> => {
    const from = kind === 'new' ? source : about
    const answer = await attempt('profiles.create', { name, from })
    if (!answer.ok) return answer.error
    const { adopt, select } = useDrafts.getState()
    adopt(answer.value)
    select(answer.value.name)
    return null
  }
  const rename = async (): Promise<Failure | null> => {
    if (name === about) return null
    const answer = await attempt('profiles.rename', { name: about, to: name })
    if (!answer.ok) return answer.error
    const { document, undoId } = answer.value
    const { adopt, select, forget } = useDrafts.getState()
    forget(about)
    adopt(document)
    select(document.name)
    tellUndoable(t('act.renamed', { from: about, to: document.name }), undoId)
    return null
  }
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (fault !== null || busy) return
    setBusy(true)
    const refused = await (kind === 'rename' ? rename() : create())
    setBusy(false)
    setFailure(refused)
    if (refused === null) onClose()
  }
  const refused = failure ? failureText(t, failure) : null
  const words = kind === 'new' ? 'create' : kind

  return (
    <Dialog
      open
      width="s"
      title={t(`${words}.title`, { name: about })}
      description={t(`${words}.text`)}
      onClose={onClose}
      locked={busy}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form="profile-name" variant="primary" busy={busy}>
            {t(`${words}.submit`)}
          </Button>
        </>
      }
    >
      <form id="profile-name" onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field
          label={t('create.name')}
          hint={t('create.nameHint')}
          error={
            shown ??
            (refused && failure && (
              <>
                {refused.message} {refused.hint} <span className="mono text-ink-3">{failure.code}</span>
              </>
            )) ??
            undefined
          }
        >
          {(control) => (
            <Input
              {...control}
              data-autofocus=""
              value={name}
              spellCheck={false}
              autoComplete="off"
              onFocus={(event) => event.target.select()}
              onChange={(event) => {
                setName(event.target.value.trim())
                setFailure(null)
              }}
            />
          )}
        </Field>
        {kind === 'new' && (
          <Field label={t('create.from')}>
            {(control) => (
              <Select
                {...control}
                label={t('create.from')}
                value={source}
                onChange={setSource}
                options={sources.map(({ name: value, title, purpose }) => ({
                  value,
                  label: title ?? value,
                  ...(purpose === undefined ? {} : { note: purpose }),
                }))}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  )
}
