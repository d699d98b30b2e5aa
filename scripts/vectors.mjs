/**
 * `npm run vectors [-- FILE…]`: checks files of expected values (kinematics, interpolation, packets) and prints how many
 * passed; without a file those of the checkout. Ends with status 1 when one failed.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { ensurePackages } from './lib/packages.mjs'
import { program, root, SetupError } from './lib/run.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const OWN = ['kinematics.json', 'dynamixel-packets.json'].map((name) => path.join(root, 'electron/robot/vectors', name))

async function parse(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new SetupError(`${file} cannot be read: ${error.message}`)
  }
}

await program(async (files) => {
  await ensurePackages()
  const { checkVectors } = await importTypeScript('electron/robot/vectors/check.ts')
  let wrong = 0
  for (const file of files.length > 0 ? files : OWN) {
    const content = await parse(file)
    let counts
    try {
      counts = checkVectors(content)
    } catch (error) {
      throw new SetupError(`${file}: ${error.message}`)
    }
    process.stdout.write(`${file}\n`)
    for (const { list, passed, failed, skipped } of counts) {
      const rest = `${failed.length > 0 ? `, ${failed.length} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
      process.stdout.write(`  ${list}: ${passed} passed${rest}\n`)
      for (const line of failed) process.stdout.write(`    ${line}\n`)
      wrong += failed.length
    }
  }
  return wrong > 0 ? 1 : 0
})
