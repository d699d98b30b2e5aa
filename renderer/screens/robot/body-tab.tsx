import { Cpu, Moon, RefreshCw, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { Banner, Button, Card, EmptyState, FailureBanner, StateLamp } from '../../components/index.ts'
import { useRobot } from '../../stores/robot.ts'

import { hottest, WARM } from './motor-heat.ts'
import { MotorTable } from './motor-table.tsx'
import { PoseCard } from './pose-card.tsx'

import type { Failure, RobotState, RobotSummary } from '../../../electron/contract/index.ts'
import type { LampTone } from '../../components/index.ts'

const LAMPS: Record<RobotSummary['state'], LampTone> = {
  ready: 'off',
  busy: 'wait',
  'no-permission': 'bad',
  'no-power': 'bad',
  'missing-motors': 'bad',
  'unknown-device': 'bad',
  absent: 'off',
}

function RobotRow({ robot, inUse }: { robot: RobotSummary; inUse: boolean }) {
  const { t } = useTranslation(['robot', 'shell'])
  const names = robot.missing?.join(', ') ?? ''
  const simulated = robot.kind === 'simulator'
  return (
    <li className="flex items-center gap-3 px-3 py-2.25 not-first:border-t not-first:border-line">
      <span
        className={`grid size-7 shrink-0 place-items-center rounded-control ${inUse ? 'bg-accent-soft text-accent-ink' : 'bg-sunken text-builtin'}`}
      >
        <Cpu aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-strong">{simulated ? t('shell:kind.simulator') : robot.name}</span>
        <span className="truncate text-small text-ink-3">{simulated ? t('simulatorNote') : robot.id}</span>
      </span>
      <StateLamp tone={inUse ? 'on' : LAMPS[robot.state]}>
        {inUse ? t('inUse') : t(`state.${robot.state}`, { names })}
      </StateLamp>
    </li>
  )
}

function RobotList({ current }: { current: RobotState | null }) {
  const { t } = useTranslation(['robot', 'shell'])
  const [robots, setRobots] = useState<RobotSummary[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const look = async (): Promise<void> => {
    setBusy(true)
    const answer = await attempt('robot.list', {})
    setBusy(false)
    setFailure(answer.ok ? null : answer.error)
    if (answer.ok) setRobots(answer.value.robots)
  }
  useEffect(() => {
    void look()
  }, [])
  return (
    <section className="grid gap-2">
      <div className="flex items-center justify-between">
        <h2 id="robots-heading" className="text-heading font-strong">
          {t('robots')}
        </h2>
        <Button
          variant="quiet"
          size="s"
          busy={busy}
          icon={<RefreshCw aria-hidden="true" />}
          onClick={() => void look()}
        >
          {t('lookAgain')}
        </Button>
      </div>
      {failure && <FailureBanner failure={failure} />}
      {robots?.length === 0 && <EmptyState title={t('noRobots')} />}
      {robots && robots.length > 0 && (
        <Card>
          <ul aria-labelledby="robots-heading">
            {robots.map((robot) => (
              <RobotRow key={robot.id} robot={robot} inUse={robot.id === current?.id} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

function TorqueCard({ state }: { state: RobotState }) {
  const { t } = useTranslation(['robot', 'shell'])
  const [failure, setFailure] = useState<Failure | null>(null)
  const ask = async (route: 'robot.wake' | 'robot.sleep' | 'robot.enable'): Promise<void> => {
    const answer = await attempt(route, {})
    setFailure(answer.ok ? null : answer.error)
  }
  const tone: LampTone = state.stopped ? 'bad' : state.torque ? 'on' : 'off'
  const text = state.stopped ? t('stoppedText') : t(state.torque ? 'torqueOnText' : 'torqueOffText')
  return (
    <Card className="grid gap-3 p-4">
      <div className="grid gap-1">
        <h2 className="text-heading font-strong">{t('torque')}</h2>
        <StateLamp tone={tone} className="text-ui">
          {t(state.torque ? 'torqueOn' : 'torqueOff')}
        </StateLamp>
        <p className="text-small text-pretty text-ink-2">{text}</p>
      </div>
      {failure && <FailureBanner failure={failure} />}
      {state.stopped ? (
        <Button variant="primary" onClick={() => void ask('robot.enable')}>
          {t('shell:enable')}
        </Button>
      ) : (
        <div className="grid grid-cols-2 gap-2">
          <Button icon={<Sun aria-hidden="true" />} onClick={() => void ask('robot.wake')}>
            {t('shell:wake')}
          </Button>
          <Button icon={<Moon aria-hidden="true" />} onClick={() => void ask('robot.sleep')}>
            {t('shell:sleep')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Which robot, what its motors say, and whether they hold. */
export function BodyTab() {
  const { t } = useTranslation(['robot', 'shell'])
  const state = useRobot((store) => store.snapshot)
  const failure = useRobot((store) => store.failure)
  const ready = state?.connection === 'ready'
  const hot = ready ? hottest(state.motors) : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_19rem] items-start gap-4 narrow:grid-cols-1">
      <div className="grid min-w-0 gap-4">
        {failure && <FailureBanner failure={failure} />}
        <RobotList current={state} />
        {hot && hot.temperature >= WARM && (
          <Banner tone="warn" title={t('warmTitle', { name: hot.name, degrees: Math.round(hot.temperature) })}>
            {t('warmText')}
          </Banner>
        )}
        <MotorTable motors={ready ? state.motors : []} torque={ready && state.torque} />
      </div>
      {ready && (
        <div className="grid gap-4">
          <TorqueCard state={state} />
          <PoseCard state={state} />
        </div>
      )}
    </div>
  )
}
