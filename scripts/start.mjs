/** `npm start [-- arguments of the app]`: installs and builds what is missing, then runs the app. */
import { spawn } from 'node:child_process'

import { ensureBuilt } from './lib/build.mjs'
import { describeRuntime } from './lib/electron.mjs'
import { needsDisplay, withDisplay } from './lib/linux.mjs'
import { program, root, sandboxArguments, say } from './lib/run.mjs'
import { prepare } from './prepare.mjs'

/**
 * Runs the app to its end, so that it can quit cleanly. Ctrl+C reaches it from the terminal by itself; a second one from
 * here would end it at once, before the robot has lain down.
 */
function runApp(executable, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, [...sandboxArguments, root, ...args], { cwd: root, env, stdio: 'inherit' })
    process.on('SIGINT', () => undefined)
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

await program(async (args) => {
  const runtime = await prepare()
  await ensureBuilt()
  if (runtime.kind !== 'own') say(`Running with ${describeRuntime(runtime)}.`)
  if (needsDisplay()) say('There is no display: the window opens on a virtual one that nobody sees.')
  return withDisplay((env) => runApp(runtime.executable, args, env))
})
