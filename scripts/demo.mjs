/**
 * `npm run demo`: stand-in Hub, Spaces and model on this computer, and the app pointed at them, so that everything can be
 * clicked through without a network.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { startApp } from './lib/app.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { program, root, run, say, SetupError } from './lib/run.mjs'

/** Far from the ports that systems hand out by themselves on most systems (32768 and up). */
const FIRST_PORT = 23_900

const USAGE = `Usage: npm run demo -- [--servers-only] [--data-dir DIR]

  --servers-only   start no app; print the environment it needs and run until interrupted
  --data-dir DIR   keep the app's files there; without it they are thrown away at the end.
                   The servers then listen on ports ${FIRST_PORT} and following, so that what is installed stays reachable
`

const options = { 'servers-only': { type: 'boolean' }, 'data-dir': { type: 'string' }, help: { type: 'boolean' } }

/** The stand-in servers are TypeScript, which Node 20 cannot load by itself. */
async function startServers(firstPort) {
  const { runnerImport } = await import('vite')
  const file = path.join(root, 'e2e', 'servers', 'demo.ts')
  const { module } = await runnerImport(file, { root, configFile: false, logLevel: 'error' })
  try {
    return await module.startDemo({ tell: say, ...(firstPort === undefined ? {} : { firstPort }) })
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    throw new SetupError(`${error.message}. Is another demo with --data-dir running?`)
  }
}

/** Resolves at the first interrupt. */
function interrupted() {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

async function serversOnly(demo) {
  for (const [name, value] of Object.entries(demo.environment)) process.stdout.write(`export ${name}=${value}\n`)
  say('The servers run until you press Ctrl+C.')
  await interrupted()
}

/** The app knows the real addresses of the Spaces it starts with; added anew, it knows those of the stand-ins. */
async function addStartingSpaces(demo, env) {
  const command = path.join(root, 'bin', 'reachy-mini-companion.mjs')
  for (const slug of demo.startingSpaces) {
    const added = await run(process.execPath, [command, 'tool-spaces', 'add', slug, '--accept-changes'], {
      env,
      capture: true,
    })
    if (added.status !== 0) say(`${slug} was not added: ${added.stderr.trim()}`)
  }
}

async function withApp(demo, given) {
  const dataDir = given ?? (await mkdtemp(path.join(tmpdir(), 'reachy-mini-demo-')))
  // A real token or key has no business with stand-ins.
  const { HF_TOKEN: _token, OPENAI_API_KEY: _key, ...inherited } = process.env
  const env = { ...inherited, ...demo.environment, REACHY_MINI_COMPANION_DATA_DIR: dataDir }
  try {
    await ensureBuilt()
    await addStartingSpaces(demo, env)
    say(`Profiles to import are in ${await demo.writeFiles(dataDir)}`)
    return await startApp([], env)
  } finally {
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

function parse(args) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    if (error.code?.startsWith('ERR_PARSE_ARGS')) return { problem: error.message }
    throw error
  }
}

await program(async (args) => {
  const values = parse(args)
  if (values.help || values.problem) {
    process.stderr.write(values.problem ? `${values.problem}\n${USAGE}` : USAGE)
    return values.problem ? 2 : 0
  }
  await ensurePackages()
  const demo = await startServers(values['data-dir'] === undefined ? undefined : FIRST_PORT)
  try {
    if (!values['servers-only']) return await withApp(demo, values['data-dir'])
    await serversOnly(demo)
    return 0
  } finally {
    await demo.close()
  }
})
