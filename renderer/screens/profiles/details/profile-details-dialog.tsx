import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { Button, Dialog, FailureBanner, Field, Input, Skeleton } from '../../../components/index.ts'
import { useProfiles } from '../../../stores/profiles.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { useTools } from '../../../stores/tools.ts'
import { useDrafts } from '../draft-store.ts'
import { isOn } from '../drafts.ts'

import { AvatarEditor } from './avatar-editor.tsx'
import { detailsChange, detailsFault, formOf, isEmptyChange } from './details-form.ts'
import { ModelChoice } from './model-choice.tsx'
import { PermissionTable } from './permission-table.tsx'

import type { Failure, ProfileDetails, ToolEntry } from '../../../../electron/contract/index.ts'
import type { DetailsChange, DetailsForm } from './details-form.ts'
import type { SyntheticEvent } from 'react'

export interface ProfileDetailsDialogProps {
  /** Of the profile. */
  name: string
  open: boolean
  onClose: () => void
}

/** What the app keeps about a profile beside its files: title, purpose, face, model, permissions. */
export function ProfileDetailsDialog({ name, open, onClose }: ProfileDetailsDialogProps) {
  useReturnFocus(open)
  return open ? <Reading key={name} name={name} onClose={onClose} /> : null
}

/** The details are read when the dialog opens: the list holds only some of them. */
function Reading({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation('local')
  const [details, setDetails] = useState<ProfileDetails | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    let left = false
    void attempt('profiles.read', { name }).then((answer) => {
      if (left) return
      if (answer.ok) setDetails(answer.value.details)
      else setFailure(answer.error)
    })
    if (!useTools.getState().lists[name]) void useTools.getState().load(name)
    return () => {
      left = true
    }
  }, [name])
  if (details) return <Editing name={name} details={details} onClose={onClose} />
  return (
    <Dialog open title={t('details.title')} onClose={onClose}>
      {failure ? <FailureBanner failure={failure} /> : <Skeleton className="h-60" />}
    </Dialog>
  )
}

/** Tools that are on as the switches stand now; without unsaved switches, as they were read. */
function useEnabledTools(name: string): readonly ToolEntry[] {
  const tools = useTools((state) => state.lists[name]?.tools)
  const draft = useDrafts((state) => state.drafts[name])
  return (tools ?? []).filter(
    (tool) => !tool.system && (tool.autoloaded === true || (draft ? isOn(draft, tool.id) : tool.enabled)),
  )
}

/** Writes a change and shows what holds now; answers whether it worked. */
async function write(name: string, details: DetailsChange): Promise<Failure | null> {
  const answer = await attempt('profiles.setDetails', { name, details })
  if (!answer.ok) return answer.error
  useProfiles.getState().accept(answer.value)
  return null
}

function Editing({ name, details, onClose }: { name: string; details: ProfileDetails; onClose: () => void }) {
  const { t } = useTranslation('local')
  const [before] = useState(() => formOf(details))
  const [form, setForm] = useState<DetailsForm>(before)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const tools = useEnabledTools(name)
  const fault = detailsFault(form)
  const edit = (change: Partial<DetailsForm>): void => {
    setForm((now) => ({ ...now, ...change }))
    setFailure(null)
  }

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (fault !== null || busy) return
    const change = detailsChange(before, form)
    if (isEmptyChange(change)) {
      onClose()
      return
    }
    setBusy(true)
    const failed = await write(name, change)
    setBusy(false)
    setFailure(failed)
    if (failed) return
    useToasts.getState().show({
      text: t('details.saved', { name }),
      topic: `details ${name}`,
      undo: async () => {
        const kept = await write(name, detailsChange(form, before))
        if (kept) useToasts.getState().show({ text: failureText(t, kept).message })
      },
    })
    onClose()
  }

  return (
    <Dialog
      open
      title={t('details.title')}
      description={t('details.text', { name })}
      onClose={onClose}
      locked={busy}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form="profile-details" variant="primary" busy={busy}>
            {t('details.save')}
          </Button>
        </>
      }
    >
      <form id="profile-details" onSubmit={(event) => void submit(event)} className="grid gap-6">
        {failure && <FailureBanner failure={failure} />}
        <div className="grid gap-4">
          <Field label={t('details.shown')} hint={t('details.shownHint', { name })}>
            {(control) => (
              <Input
                {...control}
                data-autofocus=""
                value={form.title}
                maxLength={80}
                onChange={(event) => edit({ title: event.target.value })}
              />
            )}
          </Field>
          <Field label={t('details.purpose')} hint={t('details.purposeHint')}>
            {(control) => (
              <Input
                {...control}
                value={form.purpose}
                maxLength={200}
                onChange={(event) => edit({ purpose: event.target.value })}
              />
            )}
          </Field>
        </div>
        <AvatarEditor name={name} avatar={form.avatar} onChange={(avatar) => edit({ avatar })} />
        <ModelChoice form={form} error={tried && fault === 'model'} onChange={edit} />
        <section className="grid gap-2">
          <h3 className="font-strong">{t('permissions.title')}</h3>
          <p className="text-small text-pretty text-ink-3">{t('permissions.text')}</p>
          <PermissionTable
            tools={tools}
            permissions={form.permissions}
            onChange={(id, permission) =>
              setForm((now) => {
                const { [id]: _, ...others } = now.permissions
                return { ...now, permissions: permission ? { ...others, [id]: permission } : others }
              })
            }
          />
        </section>
      </form>
    </Dialog>
  )
}
