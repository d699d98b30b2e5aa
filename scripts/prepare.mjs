/** Installs what is missing, once: locked packages, an Electron, on Linux its shared libraries and Xvfb. */
import { pathToFileURL } from 'node:url'

import { describeRuntime, ensureElectron } from './lib/electron.mjs'
import { ensureLinux } from './lib/linux.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { program, say } from './lib/run.mjs'

/** @returns {Promise<import('./lib/electron.mjs').Runtime>} the runtime to start the app with. */
export async function prepare() {
  await ensurePackages()
  const runtime = await ensureElectron()
  await ensureLinux(runtime.executable)
  return runtime
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await program(async () => {
    say(`Ready: ${describeRuntime(await prepare())}.`)
    return 0
  })
}
