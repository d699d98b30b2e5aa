/** The control loop and the emergency stop of the real app, seen from the robot's end of a serial port. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { chromiumArguments, cleanEnvironment, runtime } from '../e2e/app.ts'
import { attachTo } from '../e2e/attach.ts'
import { createParser } from '../electron/robot/dynamixel/parser.ts'
import { openPtyRobot } from '../electron/robot/testing/pty-robot.ts'

import { median, percentile, valueRow } from './stats.ts'

import type { Row } from './stats.ts'
import type { Page } from '@playwright/test'

const START_LIMIT_MS = 20_000
const PERIOD_MS = 20
/** A longer gap is a pause between two motions, not a late period. */
const PAUSE_MS = 150
const LOOP_MS = 20_000
const STOPS = 15

/** Instructions of Dynamixel 2.0 that write, and the two registers that matter here. */
const WRITE = 0x03
const SYNC_WRITE = 0x83
const TORQUE_ENABLE = 64
const GOAL_POSITION = 116

interface Seen {
  /** When, ms since 1970. */
  readonly at: number
  readonly address: number
  readonly first: number
}

const now = (): number => performance.timeOrigin + performance.now()

/** Writes that arrive at the simulated robot, with their times. */
function watchWire(robot: ReturnType<typeof openPtyRobot>): Seen[] {
  const seen: Seen[] = []
  const parser = createParser()
  const receive = robot.robot.receive.bind(robot.robot)
  Object.assign(robot.robot, {
    receive(bytes: Uint8Array, at: number) {
      const arrived = now()
      for (const { instruction, params } of parser.push(bytes)) {
        const data = instruction === SYNC_WRITE ? 5 : instruction === WRITE ? 2 : null
        if (data !== null) seen.push({ at: arrived, address: params[0] ?? 0, first: params[data] ?? 0 })
      }
      return receive(bytes, at)
    },
  })
  return seen
}

const request = (page: Page, route: string, payload: object = {}): Promise<unknown> =>
  page.evaluate(
    ([name, given]) => {
      const { companion } = globalThis as unknown as {
        companion: { request(route: string, payload: object): Promise<unknown> }
      }
      return companion.request(name, given)
    },
    [route, payload] as const,
  )

/** Keeps the page at work as a long list that is being scrolled would: most of every frame. */
function keepBusy(page: Page): Promise<void> {
  return page.evaluate(() => {
    const work = (): void => {
      const end = performance.now() + 12
      const box = document.createElement('div')
      document.body.append(box)
      while (performance.now() < end) {
        box.style.width = `${Math.random() * 100}px`
        void box.offsetWidth
      }
      box.remove()
      requestAnimationFrame(work)
    }
    requestAnimationFrame(work)
  })
}

/** Errors of the period while motions are streamed, ms. */
async function periods(page: Page, seen: Seen[]): Promise<number[]> {
  seen.length = 0
  const end = now() + LOOP_MS
  while (now() < end) {
    await request(page, 'robot.play', { move: 'groovy_sway_and_roll' })
    await sleep(2_000)
  }
  await request(page, 'robot.stop')
  const times = seen.filter(({ address }) => address === GOAL_POSITION).map(({ at }) => at)
  return times
    .slice(1)
    .map((at, i) => at - (times[i] ?? at))
    .filter((gap) => gap < PAUSE_MS)
    .map((gap) => Math.abs(gap - PERIOD_MS))
}

/** From the page's wish to the bytes that switch torque off, ms. */
async function stops(page: Page, seen: Seen[]): Promise<number[]> {
  const delays: number[] = []
  for (let i = 0; i < STOPS; i += 1) {
    await request(page, 'robot.enable')
    await request(page, 'robot.play', { move: 'groovy_sway_and_roll' })
    await sleep(700)
    seen.length = 0
    const asked = await page.evaluate(() => {
      const { companion } = globalThis as unknown as {
        companion: { request(route: string, payload: object): Promise<unknown> }
      }
      const at = performance.timeOrigin + performance.now()
      void companion.request('robot.emergencyStop', {})
      return at
    })
    await sleep(300)
    const off = seen.find(({ address, first }) => address === TORQUE_ENABLE && first === 0)
    if (off !== undefined) delays.push(off.at - asked)
  }
  return delays
}

/** Rows of the robot; none where there are no pseudo-terminals. */
export async function measureRobot(): Promise<Row[]> {
  if (process.platform === 'win32') return []
  const root = path.resolve(import.meta.dirname, '..')
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-bench-'))
  const robot = openPtyRobot()
  const seen = watchWire(robot)
  const { executable, version } = runtime()
  const args = [
    ...chromiumArguments(version, false),
    '--remote-debugging-port=0',
    root,
    ...['--data-dir', dataDir, '--robot', `serial:${robot.path}`],
  ]
  const child = spawn(executable, args, { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  try {
    const { browser, page } = await attachTo(child, START_LIMIT_MS)
    await sleep(3_000)
    await request(page, 'robot.wake')
    await sleep(6_000)
    const quiet = percentile(await periods(page, seen), 0.99)
    const stop = median(await stops(page, seen))
    await request(page, 'robot.enable')
    await keepBusy(page)
    const busy = percentile(await periods(page, seen), 0.99)
    await browser.close()
    return [
      {
        ...valueRow('control loop, error of the period, p99, page busy', busy, 4, 'ms'),
        rival: `${quiet.toFixed(2)} ms idle`,
      },
      valueRow('emergency stop, to its bytes on the wire', stop, PERIOD_MS, 'ms'),
    ]
  } finally {
    child.kill('SIGTERM')
    await exited
    robot.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}
