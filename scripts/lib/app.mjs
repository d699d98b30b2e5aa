import { prepare } from '../prepare.mjs'

import { attend } from './attend.mjs'
import { ensureBuilt } from './build.mjs'
import { describeRuntime } from './electron.mjs'
import { needsDisplay, withDisplay } from './linux.mjs'
import { root, sandboxArguments, say } from './run.mjs'

/**
 * Installs and builds what is missing, then runs the app to its end.
 * @param {readonly string[]} args arguments of the app
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit status
 */
export async function startApp(args, env = process.env) {
  const runtime = await prepare()
  await ensureBuilt()
  if (runtime.kind !== 'own') say(`Running with ${describeRuntime(runtime)}.`)
  if (needsDisplay()) say('There is no display: the window opens on a virtual one that nobody sees.')
  const all = [...sandboxArguments, root, ...args]
  return withDisplay((withIt) => attend(runtime.executable, all, { cwd: root, env: withIt }), env)
}
