/** `npm start [-- arguments of the app]`: installs and builds what is missing, then runs the app. */
import { spawn } from 'node:child_process'

import { ensureBuilt } from './lib/build.mjs'
import { describeRuntime } from './lib/electron.mjs'
import { needsDisplay, withDisplay } from './lib/linux.mjs'
import { program, root, sandboxArguments, say } from './lib/run.mjs'
import { prepare } from './prepare.mjs'

/** Runs the app to its end; an interrupt from the keyboard is passed on, so that the app can quit cleanly. */
function runApp(executable, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, [...sandboxArguments, root, ...args], { cwd: root, env, stdio: 'inherit' })
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', pass)
    process.on('SIGTERM', pass)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      process.off('SIGINT', pass)
      process.off('SIGTERM', pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

await program(async (args) => {
  const runtime = await prepare()
  await ensureBuilt()
  if (runtime.kind !== 'own') say(`Running with ${describeRuntime(runtime)}.`)
  if (needsDisplay()) say('There is no display: the window opens on a virtual one that nobody sees.')
  return withDisplay((env) => runApp(runtime.executable, args, env))
})
