import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { Banner, Button, FailureBanner, Skeleton } from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useTools } from '../../stores/tools.ts'

import { useDrafts } from './draft-store.ts'
import { NewProfileDialog } from './new-profile-dialog.tsx'
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
function Unreadable({ name, failure, active }: { name: string; failure: Failure; active: boolean }) {
  const { t } = useTranslation('profiles')
  return (
    <div className="grid max-w-[38rem] content-start gap-3 py-2 pr-6 pl-5">
      <h2 className="flex min-h-(--size-control) items-center text-heading font-strong break-all">{name}</h2>
      <FailureBanner failure={failure} />
      <p className="text-ink-2">{t('unfinished')}</p>
      <div className="flex gap-2">
        <Button onClick={() => void useDrafts.getState().open(name)}>{t('broken.again')}</Button>
        {!active && <Button onClick={() => void attempt('profiles.use', { name: 'default' })}>{t('broken.useDefault')}</Button>}
      </div>
    </div>
  )
}

/** The chosen profile cannot be used, and another one is in force. */
function Fallback({ snapshot }: { snapshot: ProfilesSnapshot }) {
  const { t } = useTranslation('profiles')
  const { activeFrom, wanted, active, problem } = snapshot
  if (activeFrom !== 'fallback' && !problem) return null
  const text = problem ? failureText(t, problem) : null
  return (
    <div className="shrink-0 px-5 pt-3 narrow:px-4">
      <Banner tone="warn" title={t('fallback.title', { name: wanted ?? '', active })}>
        {text?.message} {text?.hint} {problem && <span className="mono text-ink-3">{problem.code}</span>}
      </Banner>
    </div>
  )
}

/** Profiles: which tools the assistant may use, and how it behaves. */
export function ProfilesScreen() {
  const { t } = useTranslation('profiles')
  const { snapshot, failure, load } = useProfiles()
  const wanted = useDrafts((state) => state.selected)
  const [creating, setCreating] = useState(false)
  const known = snapshot?.profiles.some((profile) => profile.name === wanted) ?? false
  const name = snapshot === null ? null : known && wanted !== null ? wanted : snapshot.active
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
      <ProfileList snapshot={snapshot} selected={name} onNew={() => setCreating(true)} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Fallback snapshot={snapshot} />
        {unreadable ? (
          <Unreadable name={name} failure={unreadable} active={snapshot.active === 'default'} />
        ) : draft ? (
          <ProfileView key={name} draft={draft} snapshot={snapshot} />
        ) : (
          <div className="grid gap-3 p-5">
            <Skeleton className="h-8 w-1/2" />
            <Skeleton className="h-60" />
          </div>
        )}
      </div>
      <NewProfileDialog open={creating} onClose={() => setCreating(false)} profiles={snapshot.profiles} from={name} />
    </div>
  )
}
