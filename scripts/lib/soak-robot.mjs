import { spawn } from 'node:child_process'
import path from 'node:path'
import readline from 'node:readline'
import { pathToFileURL } from 'node:url'

import { root, say } from './run.mjs'
import { bundleTypeScript } from './typescript.mjs'

/** More than one period of a hundred without a goal is a stream with holes; a busy machine costs some. */
const MOST_MISSED = 1 / 100
/** Bytes of heap that an hour may add; less than that is how a heap breathes. */
const MOST_GROWTH = 4 * 1024 * 1024

/** Starts the simulator as a program of its own; answers its port, and how to end it. */
async function startSimulator() {
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'simulator.mjs'), '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = await new Promise((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).port))
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)))
  })
  return { port, end: () => child.kill() }
}

/**
 * Streams goals at 50 Hz to a simulated robot on a pseudo-terminal for so many minutes, prints the figures as JSON.
 * @returns the exit status: 1 when memory grew, something was left open, or periods were missed.
 */
export async function soakRobotProgram(minutes) {
  const bundled = await bundleTypeScript(
    'electron/robot/testing/soak.ts',
    path.join(root, 'node_modules', '.cache', 'soak'),
  )
  const { soakRobot } = await import(pathToFileURL(bundled).href)
  const movesDir = path.join(root, 'resources', 'moves')
  const simulator = await startSimulator()
  say(`${minutes} minutes at 50 Hz on ${simulator.port}`)
  try {
    const figures = await soakRobot({ port: simulator.port, seconds: minutes * 60, movesDir, tell: say })
    const failures = [
      ...(figures.missed > figures.periods * MOST_MISSED
        ? [`${figures.missed} of ${figures.periods} periods missed`]
        : []),
      ...(figures.heapPerHour > MOST_GROWTH && figures.heapLast - figures.heapFirst > MOST_GROWTH / 4
        ? [`the heap grows by ${figures.heapPerHour} bytes an hour`]
        : []),
      ...(figures.resourcesLast > figures.resourcesFirst + 2 ? [`${figures.resourcesLast} resources are open`] : []),
    ]
    process.stdout.write(`${JSON.stringify({ minutes, ...figures, failures })}\n`)
    return failures.length === 0 ? 0 : 1
  } finally {
    simulator.end()
  }
}
