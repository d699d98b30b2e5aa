import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { text } from './servers/space-tools.ts'
import { strings } from './world.ts'

import type { World } from './world.ts'
import type { ChildProcess } from 'node:child_process'

const BIN = path.resolve(import.meta.dirname, '../bin/reachy-mini-companion.mjs')
const SLUG = 'acme/tools'
const IDS = ['acme_tools__greet', 'acme_tools__wave']

export interface SoakOptions {
  readonly world: World
  readonly dataDir: string
  readonly rounds: number
  /** The same moments again, as far as the machine allows. */
  readonly seed: number
  readonly tell?: (line: string) => void
}

export interface SoakResult {
  /** Rounds that ended with the files of before, and with the new ones. */
  readonly old: number
  readonly new: number
  /** Killed with files of a transaction on the disk: a journal or a temporary file. */
  readonly whileWriting: number
  /** Ended by itself before the kill. */
  readonly finished: number
}

/**
 * Installs and removes a Space by the real command again and again, each killed with SIGKILL at a random moment: half of
 * them anywhere in its life, half within a few milliseconds of its first write.
 *
 * @throws Error at the first file that cannot be read, and at the first tool that the next command calls enabled and
 * available although its Space is not installed.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { world, dataDir, rounds, seed, tell } = options
  const random = generator(seed)
  const tool = (name: string) => ({
    name: `tools_${name}`,
    description: 'Greets',
    inputSchema: strings('name'),
    run: () => text('Hello.'),
  })
  await world.space(SLUG, { tools: [tool('greet'), tool('wave')] })
  const start = (...args: string[]): ChildProcess => {
    const { HF_TOKEN: _token, OPENAI_API_KEY: _key, ...env } = process.env
    return spawn(process.execPath, [BIN, ...args, '--data-dir', dataDir], { env: { ...env, ...world.env } })
  }
  const began = performance.now()
  await answer(start('tool-spaces', 'add', SLUG, '--json'))
  const whole = performance.now() - began
  const counts = { old: 0, new: 0, whileWriting: 0, finished: 0 }

  for (let round = 1; round <= rounds; round += 1) {
    const removing = await inManifest(dataDir)
    const child = start('tool-spaces', removing ? 'remove' : 'add', SLUG)
    const ended = new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code !== null)))
    if (random() < 0.5) await passed(whole * (0.2 + random()), ended)
    else await firstWrite(dataDir, ended).then(() => passed(random() * 12, ended))
    child.kill('SIGKILL')
    if (await ended) counts.finished += 1
    else if ((await readdir(dataDir)).some(isLeftover)) counts.whileWriting += 1

    const where = `round ${round} of seed ${seed}, ${removing ? 'remove' : 'add'}`
    await requireReadable(dataDir, where)
    await requireConsistent(dataDir, await answer(start('tools', 'list', '--json')), where)
    counts[(await inManifest(dataDir)) === removing ? 'old' : 'new'] += 1
    if (round % 50 === 0) tell?.(`${round} of ${rounds}: ${JSON.stringify(counts)}`)
  }
  return counts
}

/** Files that only a transaction under way has; a dead process's lock is taken over by whoever writes next. */
const isLeftover = (name: string): boolean =>
  name === '.journal' || (name.endsWith('.tmp') && !name.startsWith('.lock'))

async function requireReadable(dataDir: string, where: string): Promise<void> {
  for (const name of ['installed_tool_spaces.json', 'tool_space_pins.json', 'tool_spaces_quarantine.json']) {
    const content = await read(path.join(dataDir, name))
    try {
      if (content !== '') JSON.parse(content)
    } catch (cause) {
      throw new Error(`${name} cannot be read after ${where}`, { cause })
    }
  }
}

interface ToolsList {
  readonly ok: boolean
  readonly tools: ReadonlyArray<{ id: string; source: string; enabled: boolean; available: boolean }>
}

async function requireConsistent(dataDir: string, listed: ToolsList, where: string): Promise<void> {
  if (!listed.ok) throw new Error(`the next command failed after ${where}: ${JSON.stringify(listed)}`)
  const installed = await inManifest(dataDir)
  const lines = (await read(path.join(dataDir, 'profiles', 'default', 'tools.txt'))).split('\n')
  const inProfile = IDS.filter((id) => lines.includes(id))
  const usable = listed.tools.filter(({ id, enabled, available }) => IDS.includes(id) && enabled && available)
  const expected = installed ? IDS.length : 0
  if (usable.length !== expected || inProfile.length !== expected) {
    throw new Error(`manifest ${installed}, profile [${inProfile.join()}], usable ${usable.length} after ${where}`)
  }
  const left = [...(await readdir(dataDir)), ...(await readdir(path.join(dataDir, 'profiles', 'default')))]
  const leftovers = left.filter(isLeftover)
  if (leftovers.length > 0) throw new Error(`left behind after ${where}: ${leftovers.join(', ')}`)
}

async function inManifest(dataDir: string): Promise<boolean> {
  const content = await read(path.join(dataDir, 'installed_tool_spaces.json'))
  if (content === '') return false
  return (JSON.parse(content) as { spaces: { slug: string }[] }).spaces.some(({ slug }) => slug === SLUG)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

async function answer(child: ChildProcess): Promise<ToolsList> {
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(stdout) as ToolsList
}

async function passed(ms: number, ended: Promise<boolean>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

async function firstWrite(dataDir: string, ended: Promise<boolean>): Promise<void> {
  let watcher: ReturnType<typeof watch> | undefined
  const written = new Promise<void>((resolve) => {
    watcher = watch(dataDir, (_event, name) => {
      if (name !== null && isLeftover(name)) resolve()
    })
  })
  await Promise.race([written, ended])
  watcher?.close()
}

/** Mulberry32: numbers in [0, 1) that a seed gives again. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
