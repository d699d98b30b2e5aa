import { Plus, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { IconButton, cx } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'
import { isDirty } from './drafts.ts'
import { faceOf } from './face.ts'

import type { ProfileSummary, ProfilesSnapshot } from '../../../electron/contract/index.ts'

function Face({ name }: { name: string }) {
  const { roll, left, right, eyeLeft, eyeRight, eyeY } = faceOf(name)
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0 overflow-visible">
      <g transform={`rotate(${roll} 16 20)`}>
        <path
          d={`M11 12L${left.x.toFixed(1)} ${left.y.toFixed(1)}M21 12L${right.x.toFixed(1)} ${right.y.toFixed(1)}`}
          stroke="var(--color-ink-2)"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
        <rect x="3" y="10.5" width="26" height="18.5" rx="8.6" fill="var(--color-shell)" stroke="var(--color-shell-edge)" />
        <circle cx="11" cy={eyeY} r={eyeLeft} fill="var(--color-eye)" />
        <circle cx="21.8" cy={eyeY} r={eyeRight} fill="var(--color-eye)" />
      </g>
    </svg>
  )
}

/** A name that may break after each underscore and hyphen. */
function BreakableName({ name }: { name: string }) {
  const parts = name.split(/(?<=[_-])/)
  return (
    <span className="line-clamp-3 leading-4.25 font-medium wrap-anywhere">
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

function Note({ profile, active }: { profile: ProfileSummary; active: boolean }) {
  const { t } = useTranslation('profiles')
  const unsaved = useDrafts((state) => {
    const draft = state.drafts[profile.name]
    return draft !== undefined && isDirty(draft)
  })
  if (profile.problem) {
    return (
      <span className="flex items-center gap-1 text-danger">
        <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
        {t('unreadable')}
      </span>
    )
  }
  const origin = profile.edited ? t('edited') : t(`source.${profile.source}`)
  const note = profile.hidden ? t('hidden') : active ? t('inUse') : origin
  return <span className="text-ink-3">{unsaved ? `${note} · ${t('unsaved')}` : note}</span>
}

export interface ProfileListProps {
  snapshot: ProfilesSnapshot
  selected: string
  onNew: () => void
}

/** All profiles; the chosen one is shown beside. */
export function ProfileList({ snapshot, selected, onNew }: ProfileListProps) {
  const { t } = useTranslation('profiles')
  const { select } = useDrafts.getState()
  return (
    <aside className="scroll-quiet min-h-0 w-43 shrink-0 overflow-y-auto border-r border-line px-2 pb-4 narrow:w-35">
      <header className="flex min-h-(--size-header) items-center justify-between pl-4">
        <h1 className="screen-title" tabIndex={-1}>
          {t('title')}
        </h1>
        <IconButton size="s" label={t('create.button')} onClick={onNew}>
          <Plus aria-hidden="true" />
        </IconButton>
      </header>
      <ul aria-label={t('list')} className="grid gap-0.5">
        {snapshot.profiles.map((profile) => (
          <li key={`${profile.source}/${profile.name}`}>
            <button
              type="button"
              aria-current={profile.name === selected ? 'true' : undefined}
              onClick={() => select(profile.name)}
              className={cx(
                'flex w-full items-center gap-2.5 rounded-control px-2 py-1.75 text-left narrow:gap-1.5 narrow:px-1.5 narrow:text-small',
                profile.name === selected ? 'bg-selected' : 'hover:bg-hover',
              )}
            >
              <Face name={profile.name} />
              <span className="grid min-w-0 flex-1">
                <BreakableName name={profile.name} />
                <span className="text-small">
                  <Note profile={profile} active={profile.name === snapshot.active} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  )
}
