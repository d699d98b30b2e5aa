import { Check, ChevronDown, Unplug } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { Lamp, Menu, RobotIcon } from '../components/index.ts'
import { useConnect } from '../stores/connect.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useRobot } from '../stores/robot.ts'
import { useRobots } from '../stores/robots.ts'

import { isLetGo, viewOf } from './robot-view.ts'

import type { MenuItem } from '../components/index.ts'

/** Robots of the list as a menu: the one in use marked, any other taken by choosing it. */
function useRobotItems(): MenuItem[] {
  const { t } = useTranslation(['shell', 'robot'])
  const robots = useRobots((store) => store.robots)
  const look = useRobots((store) => store.look)
  const state = useRobot((store) => store.snapshot)
  const { connect, disconnect } = useConnect()
  const go = useNavigation((store) => store.go)
  useEffect(() => {
    if (robots === null) void look(false)
  }, [robots, look])

  const known = (robots ?? []).filter((robot) => robot.state !== 'unknown-device')
  const items = known.map((robot): MenuItem => {
    const name = robot.kind === 'simulator' ? t('kind.simulator') : robot.name
    return {
      id: robot.id,
      label: robot.connected ? name : t('connectTo', { name }),
      note: robot.kind === 'simulator' ? undefined : (robot.place ?? robot.id),
      icon: robot.connected ? <Check aria-hidden="true" /> : <span aria-hidden="true" className="size-4 shrink-0" />,
      disabled: robot.connected,
      onSelect: () => void connect(robot.heldBy ?? robot.id),
    }
  })
  return [
    ...items,
    ...(isLetGo(state)
      ? []
      : [
          {
            id: 'disconnect',
            label: t('disconnect'),
            icon: <Unplug aria-hidden="true" />,
            separated: true,
            onSelect: () => void disconnect(),
          },
        ]),
    {
      id: 'robot',
      label: t('openRobot'),
      icon: <RobotIcon />,
      separated: isLetGo(state),
      onSelect: () => go('robot', 'body'),
    },
  ]
}

/** Which robot is connected and how; its menu takes another one, and leads to the Robot screen. */
export function Connection() {
  const { t } = useTranslation('shell')
  const state = useRobot((store) => store.snapshot)
  const items = useRobotItems()
  const connection = state?.connection ?? 'connecting'
  const ready = connection === 'ready'
  const lost = state !== null && connection === 'absent' && state.reconnecting
  const none = !state || (connection === 'absent' && !lost)
  const name = none ? t('connection.absent') : state.kind === 'simulator' ? t('kind.simulator') : state.name
  const word = lost ? t('lookedFor') : t(`connection.${connection}`)
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
            {!ready && !none && <span className="ml-auto truncate text-small text-ink-2">{word}</span>}
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
        items={items}
      />
    </div>
  )
}
