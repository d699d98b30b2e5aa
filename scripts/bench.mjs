/** `npm run bench`: figures beside their rivals and budgets, as ratios. It informs; it never fails for being slow. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import { ensureBuilt } from './lib/build.mjs'
import { describeRuntime } from './lib/electron.mjs'
import { withDisplay } from './lib/linux.mjs'
import { program, root, run, say, SetupError } from './lib/run.mjs'
import { bundleTypeScript, importTypeScript } from './lib/typescript.mjs'
import { prepare } from './prepare.mjs'

async function rooms() {
  const server = fork(import.meta.filename, ['--space'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  try {
    const [url] = await once(server, 'message')
    const bundle = await bundleTypeScript('bench/rooms.ts', path.join(root, 'node_modules', '.cache', 'bench'))
    const { status, stdout, stderr } = await run(process.execPath, [bundle, url], { capture: true })
    if (status !== 0) throw new SetupError(`bench/rooms.ts ended with status ${status}.\n${stderr}`)
    return JSON.parse(stdout)
  } finally {
    server.kill()
  }
}

async function windows() {
  return withDisplay(async (env) => {
    Object.assign(process.env, env)
    const { measureWindows } = await importTypeScript('bench/window.ts')
    return measureWindows()
  })
}

async function robot() {
  return withDisplay(async (env) => {
    Object.assign(process.env, env)
    const { measureRobot } = await importTypeScript('bench/robot.ts')
    return measureRobot()
  })
}

function table(rows) {
  const cells = rows.map(({ what, ours, rival, value, budget, unit }) => {
    const number = (amount) => (unit === '×' ? `${amount.toFixed(2)} ×` : `${amount.toFixed(2)} ${unit}`)
    return [what, ours, rival, number(value), `≤ ${number(budget)}`, value <= budget ? 'within' : 'OVER']
  })
  const head = ['what', 'ours', 'rival', 'result', 'budget', '']
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column].length)))
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()
  return [line(head), ...cells.map(line)].join('\n')
}

if (process.argv[2] === '--space') {
  const { start } = await importTypeScript('bench/space.ts')
  process.send(await start())
} else {
  await program(async () => {
    const runtime = await prepare()
    await ensureBuilt()
    say(`${describeRuntime(runtime)}, without WebGL, Node ${process.versions.node}. Medians; turns interleaved.`)
    say('Kinematics, packets and tool calls …')
    const first = await rooms()
    say('Control loop and emergency stop on a serial port (about two minutes) …')
    const body = await robot()
    say('Starts, memory, idling (about two minutes) …')
    process.stdout.write(`\n${table([...(await windows()), ...body, ...first])}\n`)
    return 0
  })
}
