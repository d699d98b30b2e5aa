/** `npm run build`: installs the packages when they are missing, then builds `out/`. */
import { build } from './lib/build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { program } from './lib/run.mjs'

await program(async () => {
  await ensurePackages()
  return (await build()) ? 0 : 1
})
