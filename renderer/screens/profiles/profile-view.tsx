import { Ellipsis, Redo2, Undo2 } from 'lucide-react'
import { Tabs as Radix } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { useNarrow } from '../../app/use-narrow.ts'
import { Banner, Button, FailureBanner, IconButton, Menu, TabList, Tabs, cx } from '../../components/index.ts'
import { useDialogs } from '../../stores/dialogs.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useToasts } from '../../stores/toasts.ts'

import { changedLines } from './changed-lines.ts'
import { useDrafts } from './draft-store.ts'
import { isDirty, shownTools } from './drafts.ts'
import { ProblemCount, ProfileFiles } from './profile-files.tsx'
import { ToolSwitches } from './tool-switches.tsx'

import type { Failure, ProfilesSnapshot } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { EditorHandle, EditorHistory } from './editor/code-editor.tsx'
import type { FileName } from './profile-files.tsx'

type View = 'switches' | 'files'

interface LastUsed extends EditorHistory {
  file: FileName
}

function changedCount(draft: Draft): number {
  const { document } = draft
  const tools = changedLines(document.toolsText ?? document.inheritedToolsText, shownTools(draft)).count
  return tools + changedLines(document.instructionsText, draft.instructionsText).count
}

/** Ctrl S (⌘ S) saves, wherever the focus is, unless a dialog is open. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const pressed = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 's'
      if (!pressed || useDialogs.getState().open > 0) return
      event.preventDefault()
      latest.current()
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
  active: boolean
  history: EditorHistory
  onUndo: () => void
  onRedo: () => void
  onSave: () => void
  onFailure: (failure: Failure | null) => void
}

function Header({ draft, active, history, onUndo, onRedo, onSave, onFailure }: HeaderProps) {
  const { t } = useTranslation('profiles')
  const { name, source, edited } = draft.document
  const [busy, setBusy] = useState(false)
  const about = edited ? t('about.edited') : t(`about.${source}`)
  const { discard, restore, open } = useDrafts.getState()

  const use = async (): Promise<void> => {
    setBusy(true)
    const answer = await attempt('profiles.use', { name })
    setBusy(false)
    onFailure(answer.ok ? null : answer.error)
    if (answer.ok) useProfiles.getState().accept(answer.value)
  }
  const giveUp = (): void => {
    const given = discard(name)
    if (given) useToasts.getState().show({ text: t('discarded', { name }), undo: () => restore(given) })
  }
  return (
    <header className="flex min-h-(--size-header) shrink-0 items-center gap-1 pr-4 pl-5 narrow:pr-3 narrow:pl-4">
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-heading font-strong" title={name}>
          {name}
        </h2>
        <p className="truncate text-small text-ink-3" title={about}>
          {active ? `${t('about.inUse')} ` : ''}
          {about}
        </p>
      </div>
      <IconButton label={t('undo')} disabled={!history.canUndo} onClick={onUndo}>
        <Undo2 aria-hidden="true" />
      </IconButton>
      <IconButton label={t('redo')} disabled={!history.canRedo} onClick={onRedo}>
        <Redo2 aria-hidden="true" />
      </IconButton>
      <Menu
        trigger={
          <IconButton label={t('more')}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[
          { id: 'again', label: t('broken.again'), onSelect: () => void open(name) },
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

/** What is wrong with the profile as a whole, and what can be done. */
function Notices({ draft, snapshot, failure }: { draft: Draft; snapshot: ProfilesSnapshot; failure: Failure | null }) {
  const { t } = useTranslation('profiles')
  const { name } = draft.document
  const { lookAtNew, backToMine } = useDrafts.getState()
  const known = snapshot.profiles.find((profile) => profile.name === name)?.problem
  // Said already: above as the reason why another profile is in force, or beside the file that it concerns.
  const said = snapshot.wanted === name || draft.document.problems.some((held) => held.line === null && held.code === known?.code)
  const problem = said ? undefined : known
  const shown = [
    draft.conflict && (
      <FailureBanner
        key="conflict"
        tone="warn"
        failure={draft.conflict}
        action={
          <Button size="s" onClick={() => void lookAtNew(name)}>
            {t('conflict.look')}
          </Button>
        }
      />
    ),
    draft.aside && (
      <Banner
        key="aside"
        title={t('conflict.kept')}
        action={
          <Button size="s" onClick={() => backToMine(name)}>
            {t('conflict.back')}
          </Button>
        }
      >
        {t('conflict.keptText')}
      </Banner>
    ),
    problem && <FailureBanner key="problem" failure={problem} />,
    draft.failure && <FailureBanner key="draft" failure={draft.failure} />,
    failure && <FailureBanner key="use" failure={failure} />,
  ].filter(Boolean)
  return shown.length > 0 ? <div className="grid shrink-0 gap-2 px-5 pb-3 narrow:px-4">{shown}</div> : null
}

/** One profile: switches on the left, its files on the right; two tabs where there is room for one column. */
export function ProfileView({ draft, snapshot }: { draft: Draft; snapshot: ProfilesSnapshot }) {
  const { t } = useTranslation('profiles')
  const narrow = useNarrow()
  const [view, setView] = useState<View>('switches')
  const [failure, setFailure] = useState<Failure | null>(null)
  const handles = useRef<Partial<Record<FileName, EditorHandle>>>({})
  const [last, setLast] = useState<LastUsed>({ file: 'tools.txt', canUndo: false, canRedo: false })
  const { name } = draft.document
  const save = (): void => {
    if (isDirty(draft)) void useDrafts.getState().save(name)
  }
  useSaveKey(save)

  const panel = (value: View) => ({
    value,
    forceMount: true as const,
    // Side by side they are two regions, not tabs.
    ...(narrow ? {} : { role: 'group', 'aria-labelledby': undefined, 'aria-label': t(`tabs.${value}`), tabIndex: -1 }),
    className: cx('min-h-0 min-w-0', narrow && view !== value ? 'hidden' : 'flex'),
  })
  return (
    <section aria-label={name} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header
        draft={draft}
        active={snapshot.active === name}
        history={last}
        onUndo={() => handles.current[last.file]?.undo()}
        onRedo={() => handles.current[last.file]?.redo()}
        onSave={save}
        onFailure={setFailure}
      />
      <Notices draft={draft} snapshot={snapshot} failure={failure} />
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
            <ProfileFiles
              draft={draft}
              onReady={(file, handle) => {
                handles.current[file] = handle
              }}
              onUsed={(file, history) => setLast({ file, ...history })}
              className="flex min-w-0 flex-1"
            />
          </Radix.Content>
        </div>
      </Tabs>
    </section>
  )
}
