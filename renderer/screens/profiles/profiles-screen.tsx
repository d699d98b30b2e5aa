import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { Banner, Button, FailureBanner, Skeleton } from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useTools } from '../../stores/tools.ts'

import { BrokenProfile } from './broken/broken-profile.tsx'
import { ProfileDetailsDialog } from './details/profile-details-dialog.tsx'
import { useProfileDialog } from './dialog-store.ts'
import { useDrafts } from './draft-store.ts'
import { isDirty } from './drafts.ts'
import { ExportDialog } from './exchange/export-dialog.tsx'
import { ImportDialog } from './exchange/import-dialog.tsx'
import { NameDialog } from './new-profile-dialog.tsx'
import { openFolder, takeProfile } from './profile-actions.ts'
import { ProfileList } from './profile-list.tsx'
import { ProfileView } from './profile-view.tsx'

import type { Failure, ProfilesSnapshot } from '../../../electron/contract/index.ts'

/** Reads the profile on screen, and again whenever profiles or tools were changed by anything. */
function useProfileOnScreen(name: string | null, version: number | undefined): void {
  const toolsVersion = useTools((state) => state.version)
  useEffect(() => {
    if (name !== null) void useDrafts.getState().open(name)
  }, [name, version])
  useEffect(() => {
    if (name === null) return
    if (!useTools.getState().lists[name]) void useTools.getState().load(name)
    useDrafts.getState().diagnose(name)
  }, [name, toolsVersion])
}

/** A profile that cannot be shown at all. */
function Unreadable({ name, failure, active }: { name: string; failure: Failure; active: string }) {
  const { t } = useTranslation('profiles')
  return (
    <div className="grid max-w-[38rem] content-start gap-3 py-2 pr-6 pl-5">
      <h2 className="flex min-h-(--size-control) items-center text-heading font-strong break-all">{name}</h2>
      <FailureBanner failure={failure} />
      <p className="text-ink-2">{t('unfinished')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void useDrafts.getState().open(name)}>{t('broken.again')}</Button>
        <Button onClick={() => void openFolder(name)}>{t('act.folder')}</Button>
        {active !== 'default' && <Button onClick={() => void takeProfile('default')}>{t('broken.useDefault')}</Button>}
      </div>
    </div>
  )
}

/** A broken voice or greeting can be done without; a broken prompt or list cannot. */
function isUnusable(snapshot: ProfilesSnapshot, name: string): boolean {
  const broken = snapshot.profiles.some((profile) => profile.name === name && profile.problem !== undefined)
  return broken || (snapshot.active === name && snapshot.problem !== undefined)
}

/** The chosen profile cannot be used, and another one is in force. */
function Fallback({ snapshot, selected }: { snapshot: ProfilesSnapshot; selected: string }) {
  const { t } = useTranslation('profiles')
  const { activeFrom, wanted, active, problem } = snapshot
  if (activeFrom !== 'fallback' && !problem) return null
  const text = problem ? failureText(t, problem) : null
  const canGo = wanted !== undefined && wanted !== selected && snapshot.profiles.some(({ name }) => name === wanted)
  return (
    <div className="shrink-0 px-5 pt-3 narrow:px-4">
      <Banner
        tone="warn"
        title={t('fallback.title', { name: wanted ?? '', active })}
        action={
          canGo && (
            <Button size="s" onClick={() => useDrafts.getState().select(wanted)}>
              {wanted}
            </Button>
          )
        }
      >
        {text?.message} {text?.hint} {problem && <span className="mono text-ink-3">{problem.code}</span>}
      </Banner>
    </div>
  )
}

/** The folder of the robot's app that is edited in place, when something is wrong with it. */
function LinkedFolder({ snapshot }: { snapshot: ProfilesSnapshot }) {
  const { t } = useTranslation('profiles')
  const problem = snapshot.folder?.problem
  if (!problem) return null
  return (
    <div className="shrink-0 px-5 pt-3 narrow:px-4">
      <Banner tone="warn" title={t('linked')}>
        {failureText(t, problem).message} <span className="mono text-ink-3">{problem.code}</span>
      </Banner>
    </div>
  )
}

function Dialogs({ snapshot }: { snapshot: ProfilesSnapshot }) {
  const dialog = useProfileDialog((state) => state.dialog)
  const { close } = useProfileDialog.getState()
  if (dialog === null) return null
  switch (dialog.kind) {
    case 'new':
    case 'duplicate':
    case 'rename':
      return <NameDialog kind={dialog.kind} name={dialog.name} profiles={snapshot.profiles} onClose={close} />
    case 'import':
      return <ImportDialog source={dialog.source} profiles={snapshot.profiles} onClose={close} />
    case 'export':
      return <ExportDialog name={dialog.name} onClose={close} />
    case 'details':
      return <ProfileDetailsDialog name={dialog.name} open onClose={close} />
  }
}

/** The Profiles screen: the list, and the chosen profile beside it. */
export function ProfilesScreen() {
  const { t } = useTranslation('profiles')
  const { snapshot, failure, load } = useProfiles()
  const selected = useDrafts((state) => state.selected)
  const known = snapshot?.profiles.some((profile) => profile.name === selected) ?? false
  // What another program took away stays on screen while there is something unsaved of it.
  const kept = useDrafts((state) => {
    const held = selected === null ? undefined : state.drafts[selected]
    return held !== undefined && isDirty(held)
  })
  const name = snapshot === null ? null : (known || kept) && selected !== null ? selected : (snapshot.wanted ?? snapshot.active)
  const draft = useDrafts((state) => (name === null ? undefined : state.drafts[name]))
  const unreadable = useDrafts((state) => (name === null ? undefined : state.failures[name]))
  useProfileOnScreen(name, snapshot?.version)

  if (snapshot === null || name === null) {
    return (
      <div className="grid gap-4 p-6">
        <h1 className="screen-title" tabIndex={-1}>
          {t('title')}
        </h1>
        {failure ? (
          <FailureBanner
            failure={failure}
            action={
              <Button size="s" onClick={() => void load()}>
                {t('retry', { ns: 'common' })}
              </Button>
            }
          />
        ) : (
          <Skeleton className="h-60" />
        )}
      </div>
    )
  }
  return (
    <div className="flex min-h-0 flex-1">
      <ProfileList snapshot={snapshot} selected={name} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Fallback snapshot={snapshot} selected={name} />
        <LinkedFolder snapshot={snapshot} />
        {draft && isUnusable(snapshot, name) && draft.document.broken.length > 0 ? (
          <BrokenProfile key={name} document={draft.document} snapshot={snapshot} />
        ) : unreadable && !draft?.gone ? (
          <Unreadable name={name} failure={unreadable} active={snapshot.active} />
        ) : draft ? (
          <ProfileView key={name} draft={draft} snapshot={snapshot} />
        ) : (
          <div className="grid gap-3 p-5">
            <Skeleton className="h-8 w-1/2" />
            <Skeleton className="h-60" />
          </div>
        )}
      </div>
      <Dialogs snapshot={snapshot} />
    </div>
  )
}
