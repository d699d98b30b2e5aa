import { homedir } from 'node:os'
import path from 'node:path'

import { createCompanion } from '../companion.ts'
import { CompanionError } from '../contract/index.ts'
import { dataDirectory } from '../data-directory.ts'
import { failureOf } from '../failure.ts'

import { parseInvocation } from './arguments.ts'
import { helpText, isMissing } from './catalogue.ts'
import { RUN } from './commands.ts'
import { TooLate, untilDeadline } from './deadline.ts'
import { instanceManifest } from './instance.ts'
import { plain } from './output.ts'
import { environmentSecrets } from './secrets.ts'
import { startModule } from './tool-process.ts'

import type { Companion } from '../companion.ts'
import type { Failure, Log } from '../contract/index.ts'
import type { Invocation } from './arguments.ts'
import type { CommandName } from './catalogue.ts'
import type { Ask } from './context.ts'
import type { Outcome } from './output.ts'

export interface CliHost {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that holds `profiles/` and `resources/`. */
  readonly root: string
  readonly version: string
  readonly fetch: typeof globalThis.fetch
  /** The user's folder and the current one; of the process when left out. */
  readonly home?: string
  readonly cwd?: string
  /** Aborted by a signal. */
  readonly signal: AbortSignal
  /** Absent when there is no terminal to ask on. */
  readonly ask?: Ask
  stdout(text: string): void
  stderr(text: string): void
}

/** Longest wait for a clean end after a signal, ms; longer when the motors hold torque, since the robot lies down first. */
const LIMIT_MS = 5_000
const LIMIT_WITH_TORQUE_MS = 10_000

/** Commands with effects outside of our files, which a signal stops half-way: the body moved, or a Space was called. */
const STOPPED_HALF_WAY: ReadonlySet<CommandName> = new Set([
  'tools call',
  'robot wake',
  'robot sleep',
  'robot play',
  'chat',
])

/** Warnings reach a person who works without `--json`; the rest only with `REACHY_MINI_COMPANION_DEBUG`. */
function logTo(host: CliHost, quiet: boolean): Log {
  const debug = Boolean(host.env.REACHY_MINI_COMPANION_DEBUG)
  const write = (level: string, message: string, fields?: Readonly<Record<string, unknown>>): void =>
    host.stderr(`${level} ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`)
  const silent = (): void => undefined
  return {
    debug: debug ? (message, fields) => write('debug', message, fields) : silent,
    info: debug ? (message, fields) => write('info', message, fields) : silent,
    warn: debug || !quiet ? (message, fields) => write('warning', message, debug ? fields : undefined) : silent,
    error: (message, fields) => write('error', message, debug ? fields : undefined),
  }
}

/** The robot of this run, as the environment names it. @throws CompanionError `cli/usage`. */
function robotOf(host: CliHost, invocation: Invocation): string {
  const { robot = host.env.REACHY_MINI_COMPANION_ROBOT ?? '' } = invocation.flags
  const text = typeof robot === 'string' ? robot.trim() : ''
  if (text === '' || text === 'simulator' || /^(?:serial|daemon):./.test(text)) return text
  throw new CompanionError('cli/usage', { reason: '--robot is simulator, serial:PORT or daemon:URL' })
}

async function runCommand(
  host: CliHost,
  invocation: Invocation,
  name: CommandName,
  json: boolean,
  opened: (companion: Companion) => void,
): Promise<Outcome> {
  const run = RUN[name]
  if (isMissing(name) || run === undefined) throw new CompanionError('cli/not-available-yet', { command: name })
  const robot = robotOf(host, invocation)
  const flag = invocation.flags['data-dir']
  const home = host.home ?? homedir()
  const cwd = host.cwd ?? process.cwd()
  const { instance } = invocation.flags
  const companion = await createCompanion({
    dataDir: dataDirectory({
      flag: typeof flag === 'string' ? flag : undefined,
      env: host.env,
      platform: process.platform,
      home,
    }),
    version: host.version,
    resourcesDir: path.join(host.root, 'resources'),
    toolHostsDir: path.join(host.root, 'resources', 'tool-hosts'),
    startModule,
    shippedProfilesDir: path.join(host.root, 'profiles'),
    fetch: host.fetch,
    secrets: environmentSecrets(host.env),
    log: logTo(host, json),
    env: { ...host.env, REACHY_MINI_COMPANION_ROBOT: robot },
    systemLanguage: 'en',
    wakeAtStart: false,
    home,
    cwd,
    ...(typeof instance === 'string' ? { instance: await instanceManifest(instance, cwd) } : {}),
  })
  opened(companion)
  try {
    const outcome = await run({
      companion,
      words: invocation.positionals,
      flags: invocation.flags,
      cwd,
      signal: host.signal,
      progress: (line) => (json ? undefined : host.stderr(`${line}\n`)),
      ...(host.ask === undefined ? {} : { ask: host.ask }),
      note: (line) => host.stderr(`${line}\n`),
      stream: (text) => (json ? undefined : host.stdout(text)),
    })
    if (STOPPED_HALF_WAY.has(name)) host.signal.throwIfAborted()
    return outcome
  } finally {
    await companion.dispose()
  }
}

/** As `runCommand`, with a limit after a signal. */
async function runInTime(host: CliHost, invocation: Invocation, name: CommandName, json: boolean): Promise<Outcome> {
  let robot: Companion['robot'] | undefined
  const work = runCommand(host, invocation, name, json, (companion) => (robot = companion.robot))
  const limit = (): number => (robot?.state().torque === true ? LIMIT_WITH_TORQUE_MS : LIMIT_MS)
  return untilDeadline(work, host.signal, limit)
}

/** What is told after a signal. Only where it is sure does it say that nothing was changed. */
function stopped(error: unknown, invocation: Invocation | null): Failure {
  const command = invocation?.command ?? null
  if (invocation === null || command === null || !(STOPPED_HALF_WAY.has(command) || error instanceof TooLate)) {
    return failureOf(new CompanionError('app/cancelled'))
  }
  const id = command === 'tools call' ? plain(invocation.positionals[0] ?? command) : command
  const { code, message } = failureOf(new CompanionError('tools/cancelled', { id }))
  return { code, message }
}

/**
 * One call of the command line.
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCli(host: CliHost): Promise<number> {
  const end = host.args.indexOf('--')
  const json = (end < 0 ? host.args : host.args.slice(0, end)).includes('--json')
  const answer = (value: Record<string, unknown>): void => host.stdout(`${JSON.stringify(value)}\n`)
  let invocation: Invocation | null = null
  try {
    invocation = parseInvocation(host.args)
    if (invocation.flags.version === true) {
      if (json) answer({ ok: true, version: host.version })
      else host.stdout(`${host.version}\n`)
      return 0
    }
    if (invocation.flags.help === true) {
      if (json) answer({ ok: true, help: helpText(invocation.command) })
      else host.stdout(helpText(invocation.command))
      return 0
    }
    if (invocation.command === null) throw new CompanionError('cli/usage', { reason: 'No command given.' })
    const outcome = await runInTime(host, invocation, invocation.command, json)
    if (json) answer({ ok: true, ...outcome.json })
    else host.stdout(outcome.text.map((line) => `${line}\n`).join(''))
    return outcome.exitCode ?? 0
  } catch (error) {
    const { code, message, hint } = host.signal.aborted ? stopped(error, invocation) : failureOf(error)
    const failure = { code, message, ...(hint === undefined || hint === '' ? {} : { hint }) }
    if (json) answer({ ok: false, error: failure })
    else host.stderr(`${failure.message}\n${failure.hint === undefined ? '' : `${failure.hint}\n`}`)
    if (failure.code === 'app/internal' && host.env.REACHY_MINI_COMPANION_DEBUG) {
      host.stderr(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    }
    return failure.code === 'cli/usage' ? 2 : 1
  }
}
