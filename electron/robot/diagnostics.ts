import type { MotorState, RobotState, RobotSummary } from '../contract/index.ts'

const figure = (value: number | null, digits: number, unit: string): string =>
  value === null ? '-' : `${value.toFixed(digits)} ${unit}`

function motorLine({ id, name, angle, temperature, voltage, load, torque, error }: MotorState): string {
  const degrees = ((angle * 180) / Math.PI).toFixed(1)
  const state = torque === null ? '-' : torque ? 'holding' : 'limp'
  const figures = [
    `${degrees} deg`,
    figure(temperature, 0, 'C'),
    figure(voltage, 1, 'V'),
    figure(load === null ? null : load * 100, 0, '%'),
    state,
    ...(error === undefined ? [] : [`error: ${error}`]),
  ]
  return `  ${id} ${name.padEnd(14)} ${figures.join('  ')}`
}

/** Serial numbers are a person's own: the first and last two characters tell two robots apart. */
const shortened = (serial: string): string => (serial.length > 6 ? `${serial.slice(0, 2)}…${serial.slice(-2)}` : serial)

/**
 * A report to hand on when something does not work. English; nothing of the person in it. Pure.
 * @param audio what is known of the audio board.
 */
export function diagnosticsText(state: RobotState, robots: readonly RobotSummary[], audio: string): string {
  const { kind, connection, problem, reconnecting, rateHz, torque, stopped, activity, motors } = state
  return [
    `robot: ${kind}, ${connection}${reconnecting ? ', reconnecting' : ''}${problem ? `, ${problem.code}` : ''}`,
    `loop: ${rateHz} Hz, torque ${torque ? 'on' : 'off'}${stopped ? ', emergency stop in force' : ''}, ${activity.kind}`,
    'motors:',
    ...motors.map(motorLine),
    'robots found:',
    ...robots.map(({ kind: type, state: found, place, serialNumber, version, missing }) =>
      [
        `  ${type} ${found}`,
        ...(place === undefined ? [] : [place]),
        ...(serialNumber === undefined ? [] : [`serial ${shortened(serialNumber)}`]),
        ...(version === undefined ? [] : [`version ${version}`]),
        ...(missing === undefined ? [] : [`missing ${missing.join(', ')}`]),
      ].join('  '),
    ),
    `audio board: ${audio}`,
    `system: ${process.platform} ${process.arch}, Node ${process.versions.node}`,
    '',
  ].join('\n')
}
