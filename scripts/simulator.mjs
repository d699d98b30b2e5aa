/**
 * `npm run robot:simulator [-- --json] [--seed N] [--instant]`: a simulated robot behind a pseudo-terminal, for the app
 * (`--robot serial:PORT`) or any other driver of the motors' bus. Runs until it is ended.
 *
 * Each line on its input is a JSON object of faults to switch on or off, as `{"power":false}`; it answers with all of them.
 * `{"plugged":false}` pulls the cable and ends the program.
 */
import readline from 'node:readline'
import { parseArgs } from 'node:util'

import { ensurePackages } from './lib/packages.mjs'
import { program, SetupError } from './lib/run.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const options = {
  json: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  instant: { type: 'boolean', default: false },
}

/** What a line of the input asks for; throws with the reason when it is none. */
function readFaults(line, known) {
  const change = JSON.parse(line)
  if (typeof change !== 'object' || change === null || Array.isArray(change)) throw new Error('a line is a JSON object')
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(known, name)) throw new Error(`no fault is called ${name}`)
    const expected = known[name]
    const same =
      Array.isArray(expected) === Array.isArray(value) &&
      (typeof value === typeof expected || expected === null || value === null)
    if (!same) throw new Error(`${name} is ${JSON.stringify(expected)} when all is well`)
  }
  return change
}

await program(async (args) => {
  const { values } = parseArgs({ args, options, strict: true })
  if (process.platform === 'win32') throw new SetupError('Windows has no pseudo-terminals of this kind.')
  const seed = Number(values.seed)
  if (!Number.isInteger(seed)) throw new SetupError('--seed is a whole number.')
  await ensurePackages()
  const { openPtyRobot } = await importTypeScript('electron/robot/testing/pty-robot.ts')
  const robot = openPtyRobot({ paced: !values.instant, seed })
  const print = (value, text) => process.stdout.write(`${values.json ? JSON.stringify(value) : text}\n`)
  print({ port: robot.path }, `A simulated Reachy Mini listens on ${robot.path}. Ctrl+C ends it.`)

  const ended = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve)
    readline.createInterface({ input: process.stdin }).on('line', (line) => {
      if (line.trim() === '') return
      try {
        const known = { ...robot.robot.faults, plugged: true }
        const { plugged, ...faults } = readFaults(line, known)
        if (plugged === false) return resolve()
        robot.setFaults(faults)
        print({ faults: robot.robot.faults }, JSON.stringify(robot.robot.faults))
      } catch (error) {
        print({ error: error.message }, error.message)
      }
    })
  })
  await ended
  robot.close()
  process.exit(0)
})
