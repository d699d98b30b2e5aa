import { useEffect, useRef, useState } from 'react'

import { attempt } from '../../app/bridge.ts'

import { axesOf, jogOf, missedAxes } from './jog-axes.ts'
import { createJogSender } from './jog-sender.ts'

import type { Failure, RobotState } from '../../../electron/contract/index.ts'
import type { Axis, AxisValues } from './jog-axes.ts'

/** A wish that the robot never took up is given up after this time, ms. */
const UNHEARD_MS = 3_000

export interface JogState {
  /** What is shown of an axis: the wish while a person moves it, else where it is. */
  readonly values: Readonly<Record<Axis, number>>
  /** Axes that ended short of the last wish. */
  readonly missed: readonly Axis[]
  readonly failure: Failure | null
  set: (change: AxisValues) => void
}

/** Moves the robot by sliders: the wish counts until the body has come to rest. */
export function useJog(state: RobotState): JogState {
  const real = axesOf(state)
  const [wish, setWish] = useState<AxisValues>({})
  const [missed, setMissed] = useState<readonly Axis[]>([])
  const [failure, setFailure] = useState<Failure | null>(null)
  const moving = useRef(false)
  const [sender] = useState(() =>
    createJogSender({
      ask: (jog) => attempt('robot.jog', jog),
      onFailure(problem) {
        setFailure(problem)
        setWish({})
      },
      after: (ms, work) => void setTimeout(work, ms),
    }),
  )
  useEffect(() => () => sender.stop(), [sender])

  const byHand = state.activity.kind === 'by-hand'
  useEffect(() => {
    if (byHand) moving.current = true
    else if (moving.current) {
      moving.current = false
      setMissed(missedAxes(wish, real))
      setWish({})
    }
    // Only the end of the motion counts, with what was wished and reached at that moment.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [byHand])
  useEffect(() => {
    if (Object.keys(wish).length === 0) return undefined
    const timer = setTimeout(() => {
      if (!moving.current) setWish({})
    }, UNHEARD_MS)
    return () => clearTimeout(timer)
  }, [wish])

  return {
    values: { ...real, ...wish },
    missed,
    failure,
    set(change) {
      const next = { ...wish, ...change }
      setWish(next)
      setMissed([])
      setFailure(null)
      sender.send(jogOf(change, { ...real, ...next }))
    },
  }
}
