import { useCallback, useEffect, useRef, useState } from 'react'

import { useRobot } from '../../stores/robot.ts'
import { NEUTRAL } from '../puppet/model.ts'

import { glide, keyTime, poseAt } from './trajectory.ts'

import type { Trajectory } from '../../../electron/contract/index.ts'
import type { PuppetPose } from '../puppet/model.ts'

/** How long the puppet glides from where it is to the first frame, seconds (the interface's slow step). */
const GLIDE = 0.42

export interface Playback {
  pose: PuppetPose
  /** Seconds into the move; `null` at rest. */
  time: number | null
  playing: boolean
  /** The robot itself plays this move: the needle follows it. */
  onRobot: boolean
  play: () => void
  pause: () => void
}

export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Seconds the robot is into this move, carried on between two states; `null` when it does not play it. */
function useRobotTime(name: string): number | null {
  const elapsed = useRobot((store) => {
    const activity = store.snapshot?.activity
    const plays = activity && (activity.kind === 'emotion' || activity.kind === 'dance') && activity.name === name
    return plays ? (activity.elapsed ?? 0) : null
  })
  return elapsed
}

/**
 * Plays a trajectory on screen: glides to its first frame, plays once, rests. When the robot plays the same move, the
 * puppet shows the robot's moment instead. With reduced motion it shows the key frame and does not play.
 */
export function usePlayback(trajectory: Trajectory | null, name: string, autoPlay: boolean): Playback {
  const robotTime = useRobotTime(name)
  const [time, setTime] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const [paused, setPaused] = useState(false)
  const pose = useRef<PuppetPose>(NEUTRAL)
  const start = useRef<PuppetPose>(NEUTRAL)

  const play = useCallback((): void => {
    if (!trajectory || prefersReducedMotion()) return
    start.current = pose.current
    setTime((held) => (paused && held !== null ? held : -GLIDE))
    setPaused(false)
    setPlaying(true)
  }, [trajectory, paused])
  const pause = useCallback((): void => {
    setPlaying(false)
    setPaused(true)
  }, [])

  const latestPlay = useRef(play)
  useEffect(() => {
    latestPlay.current = play
  })
  useEffect(() => {
    setTime(null)
    setPlaying(false)
    setPaused(false)
  }, [trajectory])
  useEffect(() => {
    if (autoPlay && trajectory) latestPlay.current()
  }, [autoPlay, trajectory])

  // The robot's own clock takes over. When the robot ends or is stopped, the puppet rests where the robot was.
  useEffect(() => {
    if (robotTime === null) return
    setTime(robotTime)
    setPlaying(false)
    setPaused(false)
  }, [robotTime])

  const running = playing && robotTime === null && trajectory !== null
  useEffect(() => {
    if (!running) return
    let last = performance.now()
    let handle = requestAnimationFrame(function step(now) {
      const passed = Math.min(0.1, (now - last) / 1000)
      last = now
      setTime((held) => (held ?? -GLIDE) + passed)
      handle = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(handle)
  }, [running])

  const ended = playing && trajectory !== null && time !== null && time >= trajectory.duration
  useEffect(() => {
    if (ended) setPlaying(false)
  }, [ended])

  const shown = robotTime ?? time
  const current = poseOf(trajectory, shown, start.current)
  useEffect(() => {
    pose.current = current
  })
  return { pose: current, time: shown, playing: running && !ended, onRobot: robotTime !== null, play, pause }
}

function poseOf(trajectory: Trajectory | null, time: number | null, start: PuppetPose): PuppetPose {
  if (!trajectory) return NEUTRAL
  if (time === null) return poseAt(trajectory, keyTime(trajectory))
  if (time < 0) return glide(start, poseAt(trajectory, 0), 1 + time / GLIDE)
  return poseAt(trajectory, time)
}
