import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Lamp, Menu, RobotIcon } from '../components/index.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useRobot } from '../stores/robot.ts'

import { viewOf } from './robot-view.ts'

/** Which robot is connected and how; its menu leads to the Robot screen. */
export function Connection() {
  const { t } = useTranslation('shell')
  const state = useRobot((store) => store.snapshot)
  const go = useNavigation((store) => store.go)
  const connection = state?.connection ?? 'connecting'
  const ready = connection === 'ready'
  const name =
    !state || connection === 'absent'
      ? t('connection.absent')
      : state.kind === 'simulator'
        ? t('kind.simulator')
        : state.name
  const word = t(`connection.${connection}`)
  const rate = state && state.rateHz > 0 ? t('rate', { rate: Math.round(state.rateHz) }) : null

  return (
    <div role="status" aria-label={t('connectionName')}>
      <Menu
        side="left"
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-h-9 w-full items-center gap-2 rounded-control border border-line-strong pr-2 pl-2.5 text-left hover:bg-hover"
          >
            <Lamp tone={viewOf(state).lamp} />
            <span className="min-w-0 truncate font-strong">{name}</span>
            {ready && <span className="sr-only">{word}</span>}
            {!ready && connection !== 'absent' && (
              <span className="ml-auto truncate text-small text-ink-2">{word}</span>
            )}
            {/* The rate changes all the time: shown, not read out. */}
            {ready && rate && (
              <span aria-hidden="true" className="ml-auto text-small whitespace-nowrap text-ink-3 narrow:hidden">
                {rate}
              </span>
            )}
            <ChevronDown
              aria-hidden="true"
              className="size-4 shrink-0 text-ink-2 not-[.ml-auto+*]:ml-auto narrow:ml-auto"
            />
          </button>
        }
        head={
          <span className="grid">
            <span className="font-strong">{name}</span>
            <span className="text-small text-ink-3">{word}</span>
          </span>
        }
        items={[{ id: 'robot', label: t('openRobot'), icon: <RobotIcon />, onSelect: () => go('robot', 'body') }]}
      />
    </div>
  )
}
