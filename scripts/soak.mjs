/**
 * `npm run soak [-- --rounds N --seed N]`: installs and removes a Space by the real command, each time killed at a random
 * moment, and looks at what the next command finds. Ends with status 1 at the first file or tool that is not as it must be.
 *
 * `npm run soak -- --robot [--minutes N]`: streams goals at 50 Hz to a simulated robot on a pseudo-terminal. Ends with
 * status 1 when memory grows or periods are missed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { ensureBuilt } from './lib/build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { program, root, say, SetupError } from './lib/run.mjs'
import { soakRobotProgram } from './lib/soak-robot.mjs'

const options = {
  rounds: { type: 'string', default: '500' },
  seed: { type: 'string' },
  robot: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '60' },
}

function wholeNumber(text, flag) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new SetupError(`--${flag} is a whole number from 1 on.`)
  return value
}

await program(async (args) => {
  const { values } = parseArgs({ args, options, strict: true })
  const rounds = wholeNumber(values.rounds, 'rounds')
  const seed = wholeNumber(values.seed ?? String(1 + Math.floor(Math.random() * 1e9)), 'seed')
  await ensurePackages()
  if (values.robot) {
    const minutes = Number(values.minutes)
    if (!(minutes > 0)) throw new SetupError('--minutes is a number above 0.')
    if (process.platform === 'win32') throw new SetupError('Windows has no pseudo-terminals of this kind.')
    return soakRobotProgram(minutes)
  }
  await ensureBuilt()
  const { runnerImport } = await import('vite')
  const load = async (file) => {
    const imported = await runnerImport(path.join(root, 'e2e', file), { root, configFile: false, logLevel: 'error' })
    return imported.module
  }
  const { startWorld } = await load('world.ts')
  const { soak } = await load('soak.ts')
  const dataDir = await mkdtemp(path.join(tmpdir(), 'companion-soak-'))
  const world = await startWorld()
  say(`${rounds} rounds, --seed ${seed}`)
  try {
    const result = await soak({ world, dataDir, rounds, seed, tell: say })
    process.stdout.write(`${JSON.stringify({ rounds, seed, ...result })}\n`)
    return 0
  } finally {
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
