import { CompanionError } from '../contract/index.ts'

import { MAX_REPEAT } from './built-in.ts'

import type { JsonObject } from '../contract/index.ts'
import type { HeadDirection, Motion, Robot } from '../robot/index.ts'

export type BodyRobot = Pick<
  Robot,
  'play' | 'lookTo' | 'sweepLook' | 'sleep' | 'stopMotion' | 'moves' | 'resolveEmotion' | 'state'
>

export interface Body {
  /**
   * Runs one of the tools that move the body and answers when the body has begun to follow.
   * @throws CompanionError `robot/stopped` and other `robot/*`, `tools/cancelled`.
   */
  run(id: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject>
  /** Resolves when every motion that was begun here has ended. */
  ended(): Promise<void>
}

/** The built-in tools that move the robot. Result shapes are those of the robot's conversation app. */
export function createBody(robot: BodyRobot, random: () => number): Body {
  const running = new Set<Promise<unknown>>()

  /** Waits for the first motion to begin; an abort stops all of them. */
  const begin = async (motions: readonly Motion[], signal: AbortSignal): Promise<'begun' | 'stopped'> => {
    const ends = motions.map((motion) => motion.ended)
    for (const end of ends) {
      // A failure after the start is the robot's to show; here it only means "no longer running".
      const settled = end.then(
        () => undefined,
        () => undefined,
      )
      running.add(settled)
      void settled.then(() => running.delete(settled))
    }
    const stop = (): void => motions.forEach((motion) => motion.stop())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    try {
      const [first] = motions
      if (!first) return 'begun'
      // A motion that is stopped while it waits never begins.
      const outcome = await Promise.race([
        first.started.then(() => 'begun' as const),
        first.ended.then((end) => (end.ended === 'stopped' ? 'stopped' : 'begun')),
      ])
      if (signal.aborted) throw new CompanionError('tools/cancelled')
      return outcome
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  const status = async (motion: Motion, signal: AbortSignal, words: string): Promise<JsonObject> => ({
    status: (await begin([motion], signal)) === 'stopped' ? 'stopped before it began' : words,
  })

  const handlers: Record<string, (args: JsonObject, signal: AbortSignal) => Promise<JsonObject>> = {
    async play_emotion(args, signal) {
      const asked = typeof args.emotion === 'string' ? args.emotion : ''
      const clip = robot.resolveEmotion(asked)
      const begun = await begin([robot.play(clip)], signal)
      return { status: begun === 'stopped' ? 'stopped before it began' : 'queued', emotion: clip }
    },
    async stop_emotion() {
      robot.stopMotion('emotion')
      return { status: 'stopped emotion and cleared queue' }
    },
    async dance(args, signal) {
      const names = robot
        .moves()
        .filter((move) => move.kind === 'dance')
        .map((move) => move.name)
      if (names.length === 0) return { error: 'No moves currently available' }
      const move = typeof args.move === 'string' ? args.move : names[Math.floor(random() * names.length)]!
      if (!names.includes(move)) return { error: `Unknown dance move '${move}'. Available: ${JSON.stringify(names)}` }
      const asked = typeof args.repeat === 'number' ? Math.max(1, Math.round(args.repeat)) : 1
      const repeat = Math.min(MAX_REPEAT, asked)
      const begun = await begin(
        Array.from({ length: repeat }, () => robot.play(move)),
        signal,
      )
      return {
        status: begun === 'stopped' ? 'stopped before it began' : 'queued',
        move,
        repeat,
        ...(repeat < asked ? { note: `repeat was cut from ${asked} to ${MAX_REPEAT}` } : {}),
      }
    },
    async stop_dance() {
      robot.stopMotion('dance')
      return { status: 'stopped dance and cleared queue' }
    },
    async move_head(args, signal) {
      const direction = args.direction as HeadDirection
      const begun = await begin([robot.lookTo(direction)], signal)
      return { status: begun === 'stopped' ? 'stopped before it began' : `looking ${direction}`, move: direction }
    },
    async sweep_look(_, signal) {
      robot.stopMotion()
      return status(robot.sweepLook(), signal, 'sweeping look left-right-center, total 14.0s')
    },
    async go_to_sleep(_, signal) {
      const { kind } = robot.state().activity
      const requested = { stop_current_app_requested: false, local_stop_requested: false }
      if (kind === 'asleep' || kind === 'going-to-sleep') return { status: 'already_requested', ...requested }
      robot.stopMotion()
      return { ...(await status(robot.sleep(), signal, 'sleeping')), ...requested }
    },
  }

  return {
    async run(id, args, signal) {
      const handler = handlers[id]
      if (!handler) throw new CompanionError('tools/unavailable', { id, reason: 'nothing behind it' })
      return handler(args, signal)
    },
    async ended() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
