import path from 'node:path'

import { askApp } from '../app-socket.ts'
import { CompanionError } from '../contract/index.ts'

import { flag } from './context.ts'
import { plain } from './output.ts'

import type { RobotState } from '../contract/index.ts'
import type { Motion, MotionEnd } from '../robot/index.ts'
import type { Command, CommandContext } from './context.ts'
import type { Outcome } from './output.ts'

/** Milliseconds between two looks at a body that should come to rest. */
const REST_POLL_MS = 50

/** Waits until the body follows nothing any more. */
async function atRest(context: CommandContext): Promise<void> {
  const moving = new Set<RobotState['activity']['kind']>(['waking', 'going-to-sleep', 'emotion', 'dance', 'moving'])
  while (moving.has(context.companion.robot.state().activity.kind) && !context.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, REST_POLL_MS))
  }
}

/** Opens the robot, does something with it, and comes back when its motion has ended. */
export async function withRobot<T>(context: CommandContext, use: () => Promise<T>): Promise<T> {
  const { robot } = context.companion
  const stop = (): void => robot.stopMotion()
  context.signal.addEventListener('abort', stop)
  try {
    await robot.start()
    await atRest(context)
    const value = await use()
    await atRest(context)
    return value
  } finally {
    context.signal.removeEventListener('abort', stop)
  }
}

export const list: Command = async ({ companion }) => {
  const robots = await companion.robot.list({ fresh: true })
  return {
    json: {
      robots: robots.map(({ id, kind, name, state, missing }) => ({
        id,
        kind,
        name,
        state,
        ...(missing ? { missing } : {}),
      })),
    },
    text: robots.map(({ id, name, state, missing }) => {
      const gone = missing ? `: ${missing.join(', ')}` : ''
      return `${plain(id)}  ${plain(name)}  ${state}${gone}`
    }),
  }
}

function robotJson(state: RobotState): Record<string, unknown> {
  return {
    id: state.id,
    kind: state.kind,
    torque: state.torque,
    head: state.head,
    body_yaw: state.bodyYaw,
    antennas: state.antennas,
    motors: state.motors.map(({ id, name, angle, temperature, voltage, error }) => ({
      id,
      name,
      angle,
      temperature,
      voltage,
      ...(error === undefined ? {} : { error }),
    })),
  }
}

const degrees = (radians: number): string => `${((radians * 180) / Math.PI).toFixed(1)}°`

export const status: Command = async (context) =>
  withRobot(context, async () => {
    const state = context.companion.robot.state()
    return {
      json: { robot: robotJson(state) },
      text: [
        `${state.name}, torque ${state.torque ? 'on' : 'off'}`,
        `head  yaw ${degrees(state.head.yaw)}  pitch ${degrees(state.head.pitch)}  roll ${degrees(state.head.roll)}`,
        `body  ${degrees(state.bodyYaw)}  antennas ${state.antennas.map(degrees).join(' ')}`,
        ...state.motors.map(
          (motor) =>
            `  ${motor.id} ${motor.name}  ${degrees(motor.angle)}${motor.error ? `  ${plain(motor.error)}` : ''}`,
        ),
      ],
    }
  })

async function moved(context: CommandContext, begin: () => Motion): Promise<MotionEnd> {
  return withRobot(context, async () => {
    const end = await begin().ended
    if (end.ended === 'stopped') throw new CompanionError('app/cancelled')
    return end
  })
}

export const wake: Command = async (context) => {
  const { robot } = context.companion
  await moved(context, () => robot.wake())
  return { json: { robot: robotJson(robot.state()) }, text: ['Awake.'] }
}

export const sleep: Command = async (context) => {
  const { robot } = context.companion
  await moved(context, () => robot.sleep())
  return { json: { robot: robotJson(robot.state()) }, text: ['Asleep, torque off.'] }
}

/** Emergency stop: through the app that holds the robot, else by itself. Done only when the motors confirmed. */
export const stop: Command = async (context) => {
  const { host, robot } = context.companion
  const told = (id: string, confirmed: boolean): Outcome => {
    if (!confirmed) throw new CompanionError('robot/disconnected')
    return { json: { robot: id }, text: [`Torque is off: ${plain(id)}.`] }
  }
  const answer = await askApp(host.dataDir, { do: 'stop' })
  if (answer !== null) return told(answer.robot, answer.confirmed === true)
  // A robot that cannot be used, with a motor missing say, may hold torque all the same.
  let confirmed = false
  try {
    await robot.start()
  } finally {
    confirmed = (await robot.emergencyStop()).confirmed
  }
  return told(robot.state().id, confirmed)
}

export const play: Command = async (context) => {
  const { robot } = context.companion
  const [move = ''] = context.words
  if (!robot.moves().some(({ name, title }) => name === move || title === move))
    throw new CompanionError('robot/unknown-move', { name: move })
  const { clamped, duration } = await moved(context, () => robot.play(move))
  return {
    json: { robot: robotJson(robot.state()), move, duration_s: duration, clamped },
    text: [`Played ${move} in ${duration.toFixed(1)} s${clamped ? ', kept inside the limits' : ''}.`],
  }
}

/** Writes a move as the robot plays it, after limits; the robot is not needed. */
export const exportMove: Command = async (context) => {
  const { shelf } = context.companion.robot
  const [move = '', out = ''] = context.words
  const format = flag(context, 'format') ?? 'recorded-move'
  if (format !== 'recorded-move' && format !== 'lerobot') {
    throw new CompanionError('cli/usage', { reason: '--format is recorded-move or lerobot.' })
  }
  const file = path.resolve(context.cwd, out)
  await shelf.exportTo(move, format, file)
  return { json: { move, format, file }, text: [`Wrote ${plain(move)} to ${plain(file)}.`] }
}
