import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useReturnFocus } from '../../app/use-return-focus.ts'
import { Button, Dialog, Field, Input, Select } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'
import { nameFault } from './profile-name.ts'

import type { Failure, ProfileSummary } from '../../../electron/contract/index.ts'
import type { SyntheticEvent } from 'react'

export interface NewProfileDialogProps {
  open: boolean
  onClose: () => void
  profiles: readonly ProfileSummary[]
  /** The profile that is copied unless another one is chosen. */
  from: string
}

/** A new profile as a copy of another one. */
export function NewProfileDialog({ open, onClose, ...rest }: NewProfileDialogProps) {
  useReturnFocus(open)
  return open ? <OpenDialog onClose={onClose} {...rest} /> : null
}

function OpenDialog({ onClose, profiles, from }: Omit<NewProfileDialogProps, 'open'>) {
  const { t } = useTranslation('profiles')
  const sources = profiles.filter((profile) => !profile.hidden && !profile.problem)
  const [name, setName] = useState('')
  const [source, setSource] = useState(sources.some((profile) => profile.name === from) ? from : 'default')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fault = nameFault(
    name,
    profiles.map((profile) => profile.name),
  )
  // An empty field is no mistake before the button was pressed.
  const shown = fault !== null && (tried || fault !== 'empty') ? t(`create.${fault}`) : undefined

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (fault !== null || busy) return
    setBusy(true)
    const answer = await attempt('profiles.create', { name, from: source })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.error)
      return
    }
    const { adopt, select } = useDrafts.getState()
    adopt(answer.value)
    select(answer.value.name)
    onClose()
  }
  const refused = failure ? failureText(t, failure) : null

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
          <Button type="submit" form="new-profile" variant="primary" busy={busy}>
            {t('create.submit')}
          </Button>
        </>
      }
    >
      <form id="new-profile" onSubmit={(event) => void submit(event)} className="grid gap-4">
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
              onChange={(event) => {
                setName(event.target.value.trim())
                setFailure(null)
              }}
            />
          )}
        </Field>
        <Field label={t('create.from')}>
          {(control) => (
            <Select
              {...control}
              label={t('create.from')}
              value={source}
              onChange={setSource}
              options={sources.map((profile) => ({ value: profile.name, label: profile.name }))}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
