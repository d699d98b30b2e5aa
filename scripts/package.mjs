/** `npm run package`: the unpacked app for this system in `dist/`, made with the Electron that is here. */
import { ensureBuilt } from './lib/build.mjs'
import { describeRuntime } from './lib/electron.mjs'
import { packagedExecutable, packDirectory } from './lib/pack.mjs'
import { program, say } from './lib/run.mjs'
import { prepare } from './prepare.mjs'

await program(async () => {
  const runtime = await prepare()
  await ensureBuilt()
  if (!(await packDirectory(runtime))) return 1
  say(`Packaged with ${describeRuntime(runtime)}: ${packagedExecutable()}`)
  return 0
})
