import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { chromiumArguments, cleanEnvironment, runtime } from '../e2e/app.ts'
import { attachTo } from '../e2e/attach.ts'

import { cpuOf, memoryOf, processTree } from './processes.ts'
import { median, ratioRow, valueRow } from './stats.ts'

import type { Row } from './stats.ts'
import type { Page } from '@playwright/test'

const ROUNDS = 7
const START_LIMIT_MS = 20_000
const SETTLE_MS = 3_000
const IDLE_MS = 10_000

interface Start {
  /** From the start of the process to the first frame with rail and Emergency stop, ms. */
  readonly usable: number
  /** MB; `null` where the system does not tell. */
  readonly memory: number | null
  /** Share of one core, percent. */
  readonly idle: number | null
}

/** Time of the first frame that can be used, ms since 1970. */
function usableFrame(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const isThere = (): boolean =>
          document.querySelector('nav') !== null &&
          [...document.querySelectorAll('button')].some((button) => /Emergency stop/.test(button.textContent ?? ''))
        const painted = (): number | undefined => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
        const look = (first: boolean): void => {
          const paint = painted()
          if (!isThere() || paint === undefined) requestAnimationFrame(() => look(false))
          // There already when the debugger came: the first paint was it, since the page draws its frame at once.
          else resolve(performance.timeOrigin + (first ? paint : performance.now()))
        }
        look(true)
      }),
  )
}

async function startOnce(appDir: string, dataDir: string, measureIdle: boolean): Promise<Start> {
  const { executable, version } = runtime()
  const args = [...chromiumArguments(version, false), '--remote-debugging-port=0', appDir, '--data-dir', dataDir]
  const began = performance.timeOrigin + performance.now()
  const child = spawn(executable, args, { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  try {
    const { browser, page } = await attachTo(child, START_LIMIT_MS)
    const usable = (await usableFrame(page)) - began
    await browser.close()
    if (process.platform !== 'linux' || child.pid === undefined) return { usable, memory: null, idle: null }
    await sleep(SETTLE_MS)
    const tree = processTree(child.pid)
    const memory = memoryOf(tree)
    if (!measureIdle) return { usable, memory, idle: null }
    const before = cpuOf(tree)
    await sleep(IDLE_MS)
    return { usable, memory, idle: ((cpuOf(tree) - before) / IDLE_MS) * 100 }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Starts the app and an empty window in turns, on the same runtime with the same flags. */
export async function measureWindows(): Promise<Row[]> {
  const root = path.resolve(import.meta.dirname, '..')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'companion-bench-'))
  const rivals = { ours: root, empty: path.join(root, 'bench', 'empty-window') }
  const starts: Record<keyof typeof rivals, Start[]> = { ours: [], empty: [] }
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['empty', 'ours'] as const) {
        const start = await startOnce(rivals[name], path.join(folder, name), round === ROUNDS && name === 'ours')
        // The first of each fills the caches.
        if (round > 0) starts[name].push(start)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  const of = (name: keyof typeof rivals, pick: (start: Start) => number | null): number =>
    median(starts[name].map(pick).filter((value) => value !== null))
  const rows = [
    ratioRow(
      'start to first usable frame',
      of('ours', (s) => s.usable),
      of('empty', (s) => s.usable),
      1.25,
      'ms',
    ),
  ]
  if (process.platform !== 'linux') return rows
  return [
    ...rows,
    ratioRow(
      'memory of all processes, idle',
      of('ours', (s) => s.memory),
      of('empty', (s) => s.memory),
      1.5,
      'MB',
    ),
    valueRow(
      'idle CPU, window visible',
      of('ours', (s) => s.idle),
      2,
      '%',
    ),
  ]
}
