import { Ellipsis, Redo2, Undo2 } from 'lucide-react'
import { Tabs as Radix } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useNarrow } from '../../app/use-narrow.ts'
import { Button, FailureBanner, IconButton, Menu, TabList, Tabs, cx } from '../../components/index.ts'
import { useDialogs } from '../../stores/dialogs.ts'
import { useToasts } from '../../stores/toasts.ts'

import { DifferenceView } from './difference/difference-view.tsx'
import { useDrafts } from './draft-store.ts'
import { canRedo, canUndo, changedCount, isDirty } from './drafts.ts'
import { ContextMeter } from './meter/context-meter.tsx'
import { takeProfile } from './profile-actions.ts'
import { ProblemCount, ProfileFiles } from './profile-files.tsx'
import { profileMenu } from './profile-menu.tsx'
import { ProfileNotices } from './profile-notices.tsx'
import { ToolSwitches } from './tool-switches.tsx'

import type { Failure, ProfilesSnapshot } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'

type View = 'switches' | 'files'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))

/** Ctrl S saves wherever the focus is; Ctrl Z and Ctrl Shift Z take back where nothing is typed. Not under a dialog. */
function useKeys(draft: Draft, save: () => void): void {
  const latest = useRef({ draft, save })
  latest.current = { draft, save }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || useDialogs.getState().open > 0) return
      const key = event.key.toLowerCase()
      const { name } = latest.current.draft.document
      if (key === 's' && !event.shiftKey) latest.current.save()
      // A toast that can be undone is nearer to the person than the history of the profile.
      else if (key === 'z' && !isTyping(event.target) && !useToasts.getState().toasts.some(({ undo }) => undo)) {
        void (event.shiftKey ? useDrafts.getState().redo(name) : useDrafts.getState().undo(name))
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function SaveButton({ draft, onSave }: { draft: Draft; onSave: () => void }) {
  const { t } = useTranslation('profiles')
  const id = useId()
  const dirty = isDirty(draft)
  const count = dirty ? changedCount(draft) : 0
  return (
    <>
      <Button
        variant="primary"
        disabled={!dirty}
        busy={draft.saving}
        onClick={onSave}
        aria-describedby={count > 0 ? id : undefined}
        aria-keyshortcuts="Control+S"
      >
        {t('save')}
        {count > 0 && (
          <span aria-hidden="true" className="border-l border-current/35 pl-2 font-normal">
            {t('lines', { count })}
          </span>
        )}
      </Button>
      {count > 0 && (
        <span id={id} className="sr-only">
          {t('changed', { count })}
        </span>
      )}
      <span role="status" className="sr-only">
        {draft.saved && !dirty ? t('saved') : ''}
      </span>
    </>
  )
}

interface HeaderProps {
  draft: Draft
  snapshot: ProfilesSnapshot
  onSave: () => void
  onFailure: (failure: Failure | null) => void
}

function Header({ draft, snapshot, onSave, onFailure }: HeaderProps) {
  const { t } = useTranslation('profiles')
  const { name, source, edited } = draft.document
  const [busy, setBusy] = useState(false)
  const about = edited ? t('about.edited') : t(`about.${source}`)
  const { discard, restore, open, undo, redo } = useDrafts.getState()
  const active = snapshot.active === name
  const summary = snapshot.profiles.find((profile) => profile.name === name && profile.problem?.code !== 'profile/exists')
  const title = summary?.title
  const line = [active ? t('about.inUse') : null, summary?.purpose ?? about].filter(Boolean).join(' ')

  const use = async (): Promise<void> => {
    setBusy(true)
    onFailure(await takeProfile(name))
    setBusy(false)
  }
  const giveUp = (): void => {
    const given = discard(name)
    if (given) useToasts.getState().show({ text: t('discarded', { name }), undo: () => restore(given) })
  }
  return (
    <header className="flex min-h-(--size-header) shrink-0 items-center gap-1 pr-4 pl-5 narrow:pr-3 narrow:pl-4">
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-2 text-heading leading-5 font-strong break-all" title={name}>
          {title ?? name}
          {title !== undefined && <span className="ml-2 mono text-small font-normal text-ink-3">{name}</span>}
        </h2>
        <p className="truncate text-small text-ink-3" title={`${line} ${about}`}>
          {line}
        </p>
      </div>
      <IconButton label={t('undo')} disabled={!canUndo(draft)} onClick={() => void undo(name)}>
        <Undo2 aria-hidden="true" />
      </IconButton>
      <IconButton label={t('redo')} disabled={!canRedo(draft)} onClick={() => void redo(name)}>
        <Redo2 aria-hidden="true" />
      </IconButton>
      <Menu
        trigger={
          <IconButton label={t('more')}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[
          ...(summary ? profileMenu(summary) : []),
          { id: 'again', label: t('broken.again'), onSelect: () => void open(name), separated: true },
          { id: 'discard', label: t('discard'), onSelect: giveUp, disabled: !isDirty(draft) },
        ]}
      />
      {!active && (
        <Button busy={busy} aria-label={t('useNamed', { name })} className="mr-1" onClick={() => void use()}>
          {t('use')}
        </Button>
      )}
      <SaveButton draft={draft} onSave={onSave} />
    </header>
  )
}

/** One profile: switches on the left, its files on the right; two tabs where there is room for one column. */
export function ProfileView({ draft, snapshot }: { draft: Draft; snapshot: ProfilesSnapshot }) {
  const { t } = useTranslation('profiles')
  const narrow = useNarrow()
  const [view, setView] = useState<View>('switches')
  const [failure, setFailure] = useState<Failure | null>(null)
  const { name } = draft.document
  const save = (): void => {
    if (isDirty(draft)) void useDrafts.getState().save(name)
  }
  useKeys(draft, save)

  const panel = (value: View) => ({
    value,
    forceMount: true as const,
    // Side by side they are two regions, not tabs.
    ...(narrow ? {} : { role: 'group', 'aria-labelledby': undefined, 'aria-label': t(`tabs.${value}`), tabIndex: -1 }),
    className: cx('min-h-0 min-w-0', narrow && view !== value ? 'hidden' : 'flex'),
  })
  return (
    <section aria-label={name} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header draft={draft} snapshot={snapshot} onSave={save} onFailure={setFailure} />
      <ContextMeter draft={draft} />
      <ProfileNotices draft={draft} />
      {failure && (
        <div className="shrink-0 px-5 pb-3 narrow:px-4">
          <FailureBanner failure={failure} />
        </div>
      )}
      {draft.conflict && (
        <div className="scroll-quiet max-h-[55%] shrink-0 overflow-y-auto px-5 pb-3 narrow:px-4">
          <DifferenceView draft={draft} />
        </div>
      )}
      <Tabs value={view} onChange={setView}>
        {narrow && (
          <div className="shrink-0 px-4 pb-3">
            <TabList
              label={t('tabs.label')}
              tabs={[
                { value: 'switches', label: t('tabs.switches') },
                {
                  value: 'files',
                  label: (
                    <>
                      {t('tabs.files')} <ProblemCount problems={draft.problems} />
                    </>
                  ),
                },
              ]}
            />
          </div>
        )}
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,17rem)_minmax(0,1fr)] gap-3 pr-4 pb-4 pl-5 narrow:grid-cols-1 narrow:px-4">
          <Radix.Content {...panel('switches')}>
            <ToolSwitches draft={draft} className="flex min-w-0 flex-1" />
          </Radix.Content>
          <Radix.Content {...panel('files')}>
            <ProfileFiles draft={draft} className="flex min-w-0 flex-1" />
          </Radix.Content>
        </div>
      </Tabs>
    </section>
  )
}
