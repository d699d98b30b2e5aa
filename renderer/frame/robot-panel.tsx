import { Hand, Moon, Play, Smile, Sun, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../app/bridge.ts'
import { failureText } from '../app/failure-text.ts'
import { formatDegrees, formatSeconds } from '../app/format.ts'
import { cx, Button, ProgressBar } from '../components/index.ts'
import { isAsking, useChat } from '../stores/chat.ts'
import { useConnect } from '../stores/connect.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useRobot } from '../stores/robot.ts'

import { Connection } from './connection.tsx'
import { EmergencyStop, useEmergencyStop } from './emergency-stop.tsx'
import { isLetGo, isResting, viewOf } from './robot-view.ts'
import { Stage } from './stage.tsx'

import type { Failure, RobotState } from '../../electron/contract/index.ts'

function ReadOut({ state }: { state: RobotState | null }) {
  const { t } = useTranslation('shell')
  const { pose, absent } = viewOf(state)
  const rows: [string, number][] = [
    [t('yaw'), pose.head.yaw],
    [t('pitch'), pose.head.pitch],
    [t('roll'), pose.head.roll],
    [t('body'), pose.bodyYaw],
    [t('right'), pose.antennas[0]],
    [t('left'), pose.antennas[1]],
  ]
  return (
    <dl
      aria-label={t('angles')}
      className="grid shrink-0 grid-cols-3 gap-px overflow-hidden rounded-control border border-line-strong bg-line-strong narrow:grid-cols-2"
    >
      {rows.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-1 bg-case px-1.75 py-1.25">
          <dt className="truncate text-micro text-ink-3">{name}</dt>
          <dd className="text-small font-medium">{absent ? '–' : formatDegrees(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function ActivityLine({ state }: { state: RobotState | null }) {
  const { t, i18n } = useTranslation('shell')
  const activity = state?.connection === 'ready' ? state.activity : null
  const playing = activity?.kind === 'emotion' || activity?.kind === 'dance'
  const { elapsed, duration, name = '' } = activity ?? {}
  const asking = useChat(isAsking) && !playing
  return (
    <div className="grid min-h-13 shrink-0 grid-cols-[minmax(0,1fr)] content-center gap-1.5 px-0.5 py-2 short:min-h-10.5">
      <p className="flex items-center gap-2">
        {playing && <Play aria-hidden="true" className="size-3.5 shrink-0 fill-current" />}
        {(asking || activity?.kind === 'by-hand') && <Hand aria-hidden="true" className="size-4 shrink-0" />}
        <span className={cx('min-w-0', playing && 'truncate')} aria-live="polite">
          {asking
            ? t('panel', { ns: 'trust' })
            : activity
              ? t(`activity.${activity.kind}`, { name })
              : t(isLetGo(state) ? 'nothingConnected' : 'robotAbsent')}
        </span>
        {playing && elapsed !== undefined && (
          <span className="ml-auto text-small whitespace-nowrap text-ink-3">
            {formatSeconds(i18n.language, elapsed)}
          </span>
        )}
      </p>
      {playing && elapsed !== undefined && duration !== undefined && duration > 0 && (
        <ProgressBar fraction={elapsed / duration} />
      )}
    </div>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <p role="alert" className="mb-3 flex gap-2 rounded-control bg-danger-soft px-2.5 py-2 text-small text-ink">
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}

const ACTION = 'min-w-0 bg-transparent narrow:px-1 narrow:text-small narrow:[&_svg]:hidden'

/** Connection, robot, angles, what it does, and Emergency stop: always in sight, never covered. */
export function RobotPanel() {
  const { t } = useTranslation('shell')
  const state = useRobot((store) => store.snapshot)
  const go = useNavigation((store) => store.go)
  const stopProblem = useEmergencyStop((stop) => stop.problem)
  const { connecting, connect } = useConnect()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const ready = state?.connection === 'ready'
  const asleep = !ready || isResting(state)

  const ask = async (route: 'robot.wake' | 'robot.sleep' | 'robot.enable'): Promise<void> => {
    setBusy(true)
    const answer = await attempt(route, {})
    setBusy(false)
    setFailure(answer.ok ? null : answer.error)
    if (answer.ok) useEmergencyStop.setState({ problem: null })
  }

  return (
    <aside
      data-region="panel"
      tabIndex={-1}
      aria-label={t('panel')}
      className="flex min-h-0 min-w-0 flex-col px-4 pt-3 pb-4 outline-none narrow:px-3 narrow:pb-3"
    >
      <Connection />
      <Stage />
      <ReadOut state={state} />
      <ActivityLine state={state} />
      {stopProblem && <Warning>{t(stopProblem)}</Warning>}
      {failure && <Warning>{failureText(t, failure).message}</Warning>}
      <div className="mb-3 grid shrink-0 grid-cols-2 gap-2">
        {state?.stopped ? (
          <Button className={`col-span-2 ${ACTION}`} busy={busy} onClick={() => void ask('robot.enable')}>
            {t('enable')}
          </Button>
        ) : isLetGo(state) ? (
          <Button
            className={`col-span-2 ${ACTION}`}
            busy={connecting === 'simulator'}
            onClick={() => void connect('simulator')}
          >
            {t('useSimulator')}
          </Button>
        ) : (
          <>
            <Button
              className={ACTION}
              disabled={!ready}
              icon={asleep ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
              onClick={() => void ask(asleep ? 'robot.wake' : 'robot.sleep')}
            >
              <span className="truncate">{t(asleep ? 'wake' : 'sleep')}</span>
            </Button>
            <Button className={ACTION} icon={<Smile aria-hidden="true" />} onClick={() => go('robot', 'emotions')}>
              <span className="truncate">{t('emotions')}</span>
            </Button>
          </>
        )}
      </div>
      <EmergencyStop />
    </aside>
  )
}
