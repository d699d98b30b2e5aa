import { useTranslation } from 'react-i18next'

import { cx } from '../components/cx.ts'
import { Spinner } from '../components/feedback.tsx'
import { ChatIcon, KnobIcon, Mark, PlanetIcon, RobotIcon, SlidersIcon } from '../components/icons.tsx'
import { useNavigation } from '../stores/navigation.ts'
import { useProfiles } from '../stores/profiles.ts'
import { useInstalls, useSpaces } from '../stores/spaces.ts'

import type { ScreenName } from '../stores/navigation.ts'
import type { ReactNode } from 'react'

const PLACES: readonly { screen: ScreenName; icon: ReactNode; keys: string }[] = [
  { screen: 'chat', icon: <ChatIcon />, keys: 'Control+1' },
  { screen: 'spaces', icon: <PlanetIcon />, keys: 'Control+2' },
  { screen: 'profiles', icon: <SlidersIcon />, keys: 'Control+3' },
  { screen: 'robot', icon: <RobotIcon />, keys: 'Control+4' },
]
const SETTINGS = { screen: 'settings', icon: <KnobIcon />, keys: 'Control+,' } as const

interface PlaceProps {
  screen: ScreenName
  icon: ReactNode
  keys: string
  badge: number
  /** Something goes on there, in words. */
  work?: string | undefined
}

function Place({ screen, icon, keys, badge, work }: PlaceProps) {
  const { t } = useTranslation('shell')
  const current = useNavigation((store) => store.screen === screen)
  const go = useNavigation((store) => store.go)
  const noteId = `rail-note-${screen}`
  return (
    <li>
      <a
        href={`#${screen}`}
        aria-label={t(`screens.${screen}`)}
        aria-current={current ? 'page' : undefined}
        aria-keyshortcuts={keys}
        aria-describedby={badge > 0 || work ? noteId : undefined}
        draggable={false}
        onClick={(event) => {
          event.preventDefault()
          go(screen)
        }}
        className={cx(
          'group relative grid w-15 cursor-default justify-items-center gap-0.75 rounded-card pt-2 pb-1.75 text-micro font-medium narrow:w-13',
          '[&_svg]:size-5.5 [&_svg]:stroke-[1.5]',
          current ? 'bg-sheet text-ink shadow-sheet [&_svg]:text-accent' : 'text-ink-2 hover:text-ink',
        )}
      >
        <span aria-hidden="true" className="contents">
          {icon}
          <span className="max-w-full truncate">{t(`screens.${screen}`)}</span>
          {work && <Spinner className="absolute top-1 left-2 size-3" />}
          {badge > 0 && (
            <span className="absolute top-0.5 right-1 min-w-4 rounded-full bg-ink px-1 text-center text-[0.625rem] leading-4 font-strong text-case">
              {badge}
            </span>
          )}
        </span>
      </a>
      {(badge > 0 || work) && (
        <span id={noteId} hidden>
          {[badge > 0 ? t('toLookAt', { count: badge }) : '', work ?? ''].filter((note) => note !== '').join('. ')}
        </span>
      )}
    </li>
  )
}

/** The five places of the app; a badge counts things to look at. */
export function Rail({ inert }: { inert: boolean }) {
  const { t } = useTranslation('shell')
  const spaces = useSpaces((store) =>
    store.snapshot
      ? store.snapshot.problems.length + store.snapshot.spaces.filter((space) => space.problem ?? space.review).length
      : 0,
  )
  const background = useInstalls((store) => store.background)
  const waiting = background.filter((one) => one.waits).length
  const profiles = useProfiles((store) => (store.snapshot?.problem ? 1 : 0))
  const badges: Partial<Record<ScreenName, number>> = { spaces: spaces + waiting, profiles }
  return (
    <nav
      data-region="rail"
      inert={inert}
      aria-label={t('main')}
      className="flex flex-col items-center pt-4.5 pb-4 narrow:pt-4"
    >
      <Mark className="mb-4.5 w-9 narrow:mb-3 narrow:w-7.5" />
      <ul className="grid gap-1">
        {PLACES.map((place) => (
          <Place
            key={place.screen}
            {...place}
            badge={badges[place.screen] ?? 0}
            work={
              place.screen === 'spaces' && background.length > waiting
                ? t('background.rail', { ns: 'keep' })
                : undefined
            }
          />
        ))}
      </ul>
      <ul className="mt-auto">
        <Place {...SETTINGS} badge={0} />
      </ul>
    </nav>
  )
}
