import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { wholeDegrees } from '../app/format.ts'
import { Puppet2D } from '../components/puppet/puppet-2d.tsx'
import { hasFastWebGl } from '../components/puppet/webgl.ts'
import { useRobot } from '../stores/robot.ts'

import { isMoving, viewOf } from './robot-view.ts'

import type { RobotState } from '../../electron/contract/index.ts'

const Puppet3D = lazy(async () => ({ default: (await import('../components/puppet/puppet-3d.tsx')).Puppet3D }))

/** A description that changes while the robot moves would be read out without end: at most once in this time. */
const DESCRIBE_MS = 1_000

/** The value, renewed at once while `busy` is false, else at most once in `ms`. */
function useCalm<T>(value: T, busy: boolean, ms: number): T {
  const [calm, setCalm] = useState(value)
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
    if (!busy) setCalm(value)
  }, [value, busy])
  useEffect(() => {
    if (!busy) return
    const timer = setInterval(() => setCalm(latest.current), ms)
    return () => clearInterval(timer)
  }, [busy, ms])
  return calm
}

/** Whether the 3D puppet may take the place of the drawing; asked once, when the first frame is out. */
function useWants3D(): boolean {
  const [wants, setWants] = useState(false)
  useEffect(() => {
    const handle = requestIdleCallback(() => setWants(hasFastWebGl()), { timeout: 3_000 })
    return () => cancelIdleCallback(handle)
  }, [])
  return wants
}

function usePoseText(state: RobotState | null): string {
  const { t } = useTranslation('shell')
  if (!state || state.connection !== 'ready') return t('robotAbsent')
  return t('robotPose', {
    yaw: wholeDegrees(state.head.yaw),
    pitch: wholeDegrees(state.head.pitch),
    roll: wholeDegrees(state.head.roll),
    body: wholeDegrees(state.bodyYaw),
    right: wholeDegrees(state.antennas[0]),
    left: wholeDegrees(state.antennas[1]),
  })
}

/** The robot as it stands now: 2D at once, 3D when it is loaded and there is a graphics card. */
export function Stage() {
  const { t } = useTranslation('shell')
  const state = useRobot((store) => store.snapshot)
  const id = useId()
  const view = viewOf(state)
  const text = useCalm(usePoseText(state), state !== null && isMoving(state.activity), DESCRIBE_MS)
  const wants3D = useWants3D()
  const flat = <Puppet2D pose={view.pose} limp={view.limp} absent={view.absent} />

  return (
    <div className="relative min-h-0 flex-1">
      <div role="img" aria-label={t('robotImage')} aria-describedby={id} className="absolute inset-x-0 top-1 bottom-3">
        {wants3D && !view.absent ? (
          <Suspense fallback={flat}>
            <Puppet3D pose={view.pose} limp={view.limp} fallback={flat} />
          </Suspense>
        ) : (
          flat
        )}
      </div>
      <span id={id} hidden>
        {text}
      </span>
    </div>
  )
}
