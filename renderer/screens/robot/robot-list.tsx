import { Cpu, Globe, Usb, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { Button, Card, FailureBanner, IconButton, Skeleton, StateLamp, Tooltip, cx } from '../../components/index.ts'
import { useConnect } from '../../stores/connect.ts'
import { useRobot } from '../../stores/robot.ts'
import { useRobots } from '../../stores/robots.ts'
import { useToasts } from '../../stores/toasts.ts'

import { describeRobot, shortSerial } from './describe-robot.ts'

import type { RobotSummary } from '../../../electron/contract/index.ts'

const ICONS = { simulator: Cpu, serial: Usb, daemon: Globe } as const

function Place({ robot }: { robot: RobotSummary }) {
  const { t } = useTranslation('robot')
  const { kind, place = robot.id, serialNumber, version } = robot
  if (kind === 'simulator') return t('simulatorNote')
  if (kind === 'daemon') return version ? t('place.daemonVersion', { version, place }) : t('place.daemon', { place })
  if (serialNumber === undefined) return t('place.port', { place })
  const text = t('place.usbSerial', { place, serial: shortSerial(serialNumber) })
  return (
    <Tooltip content={serialNumber}>
      <span>{text}</span>
    </Tooltip>
  )
}

function RobotRow({ robot }: { robot: RobotSummary }) {
  const { t } = useTranslation(['robot', 'shell', 'common'])
  const current = useRobot((store) => store.snapshot)
  const { connecting, connect, disconnect } = useConnect()
  const id = useId()
  const { lamp, word, action } = describeRobot(robot, current, connecting)
  const Icon = ICONS[robot.kind]
  const inUse = lamp === 'on'
  const name = robot.kind === 'simulator' ? t('shell:kind.simulator') : robot.name

  const forget = async (): Promise<void> => {
    const answer = await attempt('robot.forget', { id: robot.id })
    if (!answer.ok) return useConnect.setState({ failure: answer.error })
    useToasts.getState().show({
      text: t('forgotten', { name }),
      undo: async () => {
        await attempt('robot.add', { text: robot.place ?? robot.id })
      },
    })
  }

  return (
    <li
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.25 not-first:border-t not-first:border-line"
      aria-labelledby={id}
    >
      <span
        className={cx(
          'grid size-7 shrink-0 place-items-center rounded-control',
          inUse ? 'bg-accent-soft text-accent-ink' : 'bg-sunken text-builtin',
        )}
      >
        <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
      </span>
      <span className="grid min-w-40 flex-1">
        <span id={id} className="truncate font-strong">
          {name}
        </span>
        <span className="truncate text-small text-ink-3">
          <Place robot={robot} />
        </span>
      </span>
      <StateLamp tone={lamp}>
        {t(`state.${word}`, { names: robot.missing?.join(', ') ?? '', holder: robot.holder ?? '' })}
      </StateLamp>
      {robot.added && action !== 'disconnect' && (
        <IconButton label={t('forget', { name })} size="s" onClick={() => void forget()}>
          <X aria-hidden="true" />
        </IconButton>
      )}
      <span className="w-25 shrink-0">
        {action === 'disconnect' && (
          <Button
            size="s"
            className="w-full"
            aria-describedby={id}
            onClick={() => void disconnect()}
            icon={connecting === robot.id ? <X aria-hidden="true" /> : undefined}
          >
            {connecting === robot.id ? t('common:cancel') : t('disconnect')}
          </Button>
        )}
        {(action === 'connect' || action === 'through') && (
          <Button
            size="s"
            className="w-full"
            aria-describedby={id}
            onClick={() => void connect(action === 'through' ? (robot.heldBy ?? robot.id) : robot.id)}
          >
            {t('connect')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** Robots that are known, each once, the one in use marked. */
export function RobotList() {
  const { t } = useTranslation('robot')
  const robots = useRobots((store) => store.robots)
  const failure = useRobots((store) => store.failure)
  const wish = useConnect((store) => store.failure)
  return (
    <section className="grid gap-3" aria-label={t('robots')}>
      {failure && <FailureBanner failure={failure} />}
      {wish && <FailureBanner failure={wish} />}
      {robots === null && failure === null && <Skeleton className="h-12" />}
      {robots !== null && robots.length > 0 && (
        <Card>
          <ul aria-label={t('robots')}>
            {robots.map((robot) => (
              <RobotRow key={robot.id} robot={robot} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}
