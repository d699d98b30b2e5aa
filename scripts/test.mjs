/**
 * `npm test [-- step…]`: every check. Installs what is missing first. A failing step does not end the run, so that one
 * run tells all; the last line is `N passed, N failed`, where a step without tests of its own counts as one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { build } from './lib/build.mjs'
import { conformance } from './lib/conformance.mjs'
import { describeRuntime } from './lib/electron.mjs'
import { withDisplay } from './lib/linux.mjs'
import { packDirectory } from './lib/pack.mjs'
import { countPlaywright, countVitest } from './lib/reports.mjs'
import { program, root, say, SetupError, tool } from './lib/run.mjs'
import { prepare } from './prepare.mjs'

const REPORTS = path.join(root, 'test-results')
const reportFile = (name) => path.join(REPORTS, `${name}.json`)

/** Runs a tool that has no tests of its own. @returns {Promise<Outcome>} */
async function check(...commands) {
  for (const [file, ...args] of commands) {
    const { status } = await tool(file, args)
    if (status !== 0) return { ok: false }
  }
  return { ok: true }
}

function counted(name, status, count) {
  const file = reportFile(name)
  if (!existsSync(file)) return { ok: false }
  const counts = count(JSON.parse(readFileSync(file, 'utf8')))
  return { ok: status === 0 && counts.failed === 0, counts }
}

async function unit() {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile('unit')}`]
  const { status } = await tool('vitest/vitest.mjs', ['run', ...reporters])
  return counted('unit', status, countVitest)
}

async function endToEnd(project) {
  return withDisplay(async (env) => {
    const reporting = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile(project) }
    const args = ['test', `--project=${project}`, '--reporter=list,json']
    const { status } = await tool('@playwright/test/cli.js', args, { env: reporting })
    return counted(project, status, countPlaywright)
  })
}

/**
 * All steps in order. `needs` names a step without which this one cannot tell anything; one that only `reads` the sources
 * uses one core, so two of them run at a time.
 * @typedef {{ ok: boolean, counts?: import('./lib/reports.mjs').Counts }} Outcome
 * @type {readonly { name: string, what: string, needs?: string, reads?: boolean, run: (runtime: import('./lib/electron.mjs').Runtime) => Promise<Outcome> }[]}
 */
const STEPS = [
  {
    name: 'types',
    what: 'types, against both Electrons',
    reads: true,
    run: () => check(['typescript/bin/tsc', '-b'], ['typescript/bin/tsc', '-p', 'tsconfig.electron33.json']),
  },
  { name: 'lint', what: 'ESLint', reads: true, run: () => check(['eslint/bin/eslint.js', '.']) },
  {
    name: 'format',
    what: 'Prettier',
    reads: true,
    run: () => check(['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
  },
  { name: 'unit', what: 'unit tests', run: unit },
  {
    name: 'conformance',
    what: 'conformance of the MCP client',
    run: () => conformance(path.join(REPORTS, 'conformance')),
  },
  { name: 'build', what: 'build', run: async () => ({ ok: await build() }) },
  { name: 'app', what: 'end-to-end tests in the app', needs: 'build', run: () => endToEnd('app') },
  {
    name: 'package',
    what: 'unpacked package',
    needs: 'build',
    run: async (runtime) => ({ ok: await packDirectory(runtime) }),
  },
  { name: 'packaged', what: 'tests of the packaged app', needs: 'package', run: () => endToEnd('packaged') },
]

/** The steps to run: all, or the named ones with what they need. */
function chosen(names) {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name))
  if (unknown.length > 0) {
    throw new SetupError(`No such step: ${unknown.join(', ')}. Steps: ${STEPS.map((step) => step.name).join(', ')}.`)
  }
  if (names.length === 0) return STEPS
  const wanted = new Set(names)
  for (const step of [...STEPS].reverse()) if (wanted.has(step.name) && step.needs) wanted.add(step.needs)
  return STEPS.filter((step) => wanted.has(step.name))
}

const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

function summary(results) {
  const counts = results.map(({ ok, counts }) => counts ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1 })
  const lines = results.map(({ step, ok, counts: own, note, time }) => {
    const numbers = own === undefined ? '' : `  ${own.passed} passed, ${own.failed} failed`
    return `${ok ? 'ok    ' : 'FAILED'} ${step.what.padEnd(30)} ${(note ?? time).padStart(10)}${numbers}`
  })
  const passed = counts.reduce((sum, { passed }) => sum + passed, 0)
  // A runner that failed without a failing test (a fault outside of any) is a failure all the same.
  const failed = counts.reduce((sum, { failed }, index) => sum + (failed === 0 && !results[index].ok ? 1 : failed), 0)
  return { text: [...lines, '', `${passed} passed, ${failed} failed`].join('\n'), failed }
}

await program(async (args) => {
  const steps = chosen(args)
  const runtime = await prepare()
  say(`Checking with ${describeRuntime(runtime)}.`)
  await rm(REPORTS, { recursive: true, force: true })
  await mkdir(REPORTS, { recursive: true })
  const results = new Map()
  const take = async (step) => {
    const need = results.get(step.needs)
    if (need !== undefined && !need.ok) {
      results.set(step.name, { step, ok: false, note: 'not run' })
      return
    }
    say(`${step.what} …`)
    const start = performance.now()
    const outcome = await step.run(runtime)
    results.set(step.name, { step, ...outcome, time: seconds(start) })
  }
  const reading = steps.filter((step) => step.reads)
  const lane = async () => {
    for (let step = reading.shift(); step !== undefined; step = reading.shift()) await take(step)
  }
  await Promise.all([lane(), lane()])
  for (const step of steps) if (!step.reads) await take(step)
  const { text, failed } = summary(steps.map(({ name }) => results.get(name)))
  process.stdout.write(`\n${text}\n`)
  return failed === 0 ? 0 : 1
})
