import { EllipsisVertical, Plus, TriangleAlert } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { IconButton, Menu, cx } from '../../components/index.ts'

import { useProfileDialog } from './dialog-store.ts'
import { useDrafts } from './draft-store.ts'
import { isDirty } from './drafts.ts'
import { Face } from './face.tsx'
import { editFolder, removeProfile } from './profile-actions.ts'

import type { ProfileSummary, ProfilesSnapshot } from '../../../electron/contract/index.ts'
import type { KeyboardEvent } from 'react'

/** A name that may break after each underscore and hyphen. */
function BreakableName({ name, title }: { name: string; title?: string | undefined }) {
  const parts = (title ?? name).split(/(?<=[_-])/)
  return (
    <span className="line-clamp-3 leading-4.25 font-medium wrap-anywhere" title={title === undefined ? name : `${title} (${name})`}>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

function useNote(profile: ProfileSummary, active: boolean): string {
  const { t } = useTranslation('profiles')
  const unsaved = useDrafts((state) => {
    const draft = state.drafts[profile.name]
    return draft !== undefined && isDirty(draft)
  })
  const origin = profile.edited ? t('edited') : t(`source.${profile.source}`)
  // A folder whose name is taken is out of reach; one that a person hid is not.
  const hidden = profile.hidden ? (profile.problem?.code === 'profile/exists' ? t('hidden') : t('hiddenByYou')) : null
  const note = profile.problem && !hidden ? t('unreadable') : (hidden ?? (active ? t('inUse') : origin))
  return unsaved ? `${note} · ${t('unsaved')}` : note
}

function Row({ profile, selected, active }: { profile: ProfileSummary; selected: boolean; active: boolean }) {
  const note = useNote(profile, active)
  const { name, title, purpose, avatar, problem, source, edited } = profile
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const own = source !== 'shipped' && !edited
    if (event.key === 'F2' && own) useProfileDialog.getState().show({ kind: 'rename', name })
    else if (event.key === 'Delete' && own) void removeProfile(profile)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
    else return
    event.preventDefault()
  }
  const bad = problem !== undefined && !profile.hidden
  // Another profile has its name: that one is the one that can be opened.
  const shadowed = problem?.code === 'profile/exists'
  return (
    <button
      type="button"
      aria-current={selected && !shadowed ? 'true' : undefined}
      disabled={shadowed}
      aria-label={`${name}${title === undefined ? '' : `, ${title}`}, ${note}`}
      title={purpose}
      onClick={() => useDrafts.getState().select(name)}
      onKeyDown={onKeyDown}
      className={cx(
        'flex w-full items-center gap-2.5 rounded-control px-2 py-1.75 text-left narrow:gap-1.5 narrow:px-1.5 narrow:text-small',
        selected && !shadowed ? 'bg-selected' : 'enabled:hover:bg-hover',
      )}
    >
      <Face name={name} avatar={avatar} />
      <span className="grid min-w-0 flex-1">
        <BreakableName name={name} title={title} />
        <span className={cx('flex items-center gap-1 text-small', bad ? 'text-danger' : 'text-ink-3')}>
          {bad && <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0 narrow:hidden" />}
          {note}
        </span>
      </span>
    </button>
  )
}

/** Up and down the list, as in any list of a desktop. */
function moveFocus(from: HTMLElement, step: 1 | -1): void {
  const rows = [...(from.closest('ul')?.querySelectorAll<HTMLElement>('button') ?? [])]
  rows[rows.indexOf(from) + step]?.focus()
}

/** `default`, then what the person made, then what came with the app: the own ones are looked for most. */
function inOrder(profiles: readonly ProfileSummary[]): ProfileSummary[] {
  const rank = ({ name, source, edited }: ProfileSummary): number => (name === 'default' ? 0 : source !== 'shipped' && !edited ? 1 : 2)
  return profiles.toSorted((a, b) => rank(a) - rank(b))
}

export interface ProfileListProps {
  snapshot: ProfilesSnapshot
  selected: string
}

/** All profiles; the chosen one is shown beside. */
export function ProfileList({ snapshot, selected }: ProfileListProps) {
  const { t } = useTranslation('profiles')
  const { show } = useProfileDialog.getState()
  const [all, setAll] = useState(false)
  const { profiles, active, folder } = snapshot
  // Hidden by the person; what is in force or looked at stays, and so does what is out of reach, with its reason.
  const isHidden = (profile: ProfileSummary): boolean =>
    profile.hidden && profile.problem === undefined && profile.name !== active && profile.name !== selected
  const hidden = profiles.filter(isHidden).length
  const shown = inOrder(profiles.filter((profile) => all || !isHidden(profile)))
  return (
    <aside className="flex min-h-0 w-43 shrink-0 flex-col border-r border-line narrow:w-35">
      <header className="flex min-h-(--size-header) shrink-0 items-center pr-2 pl-6 narrow:pr-1 narrow:pl-3">
        <h1 className="screen-title min-w-0 flex-1 truncate narrow:text-heading" tabIndex={-1}>
          {t('title')}
        </h1>
        <IconButton size="s" label={t('create.button')} onClick={() => show({ kind: 'new', name: selected })}>
          <Plus aria-hidden="true" />
        </IconButton>
        <Menu
          trigger={
            <IconButton size="s" label={t('more2.label')}>
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
          align="start"
          items={[
            { id: 'folder', label: t('more2.folder'), onSelect: () => show({ kind: 'import', source: 'folder' }) },
            { id: 'zip', label: t('more2.zip'), onSelect: () => show({ kind: 'import', source: 'zip' }) },
            { id: 'hub', label: t('more2.hub'), onSelect: () => show({ kind: 'import', source: 'hub' }) },
            {
              id: 'edit',
              label: t('more2.edit'),
              note: folder?.path,
              separated: true,
              onSelect: () => void editFolder('choose'),
            },
            ...(folder?.from === 'app'
              ? [{ id: 'close', label: t('more2.close'), onSelect: () => void editFolder('close') }]
              : []),
            ...(hidden > 0 || all
              ? [
                  {
                    id: 'hidden',
                    label: all ? t('more2.hideHidden') : t('more2.showHidden', { count: hidden }),
                    separated: true,
                    onSelect: () => setAll(!all),
                  },
                ]
              : []),
          ]}
        />
      </header>
      <ul
        aria-label={t('list')}
        className="scroll-quiet grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-0.5 overflow-x-hidden overflow-y-auto px-2 pt-0.5 pb-4 narrow:px-1"
      >
        {shown.map((profile) => (
          <li key={`${profile.source}/${profile.path}`}>
            <Row profile={profile} selected={profile.name === selected} active={profile.name === active} />
          </li>
        ))}
      </ul>
    </aside>
  )
}
