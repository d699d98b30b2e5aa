import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, describe, expect, it } from 'vitest'

const MODULE = path.join(import.meta.dirname, 'attend.mjs')

/** Takes its time to quit at the first signal, and dies of a second one, as Electron does. */
const APP = `
  process.once('SIGINT', () => { console.log('quitting'); setTimeout(() => { console.log('clean'); process.exit(0) }, 700) })
  process.on('SIGTERM', () => console.log('busy'))
  console.error('[1:1130/1.1:ERROR:bus.cc(407)] Failed to connect to the bus: none')
  console.error('a word')
  console.log('app', process.pid)
  setInterval(() => undefined, 1000)
`
const SCRIPT = `
  import { attend } from ${JSON.stringify(MODULE)}
  process.exitCode = await attend(process.execPath, ['-e', process.argv[1]], { cwd: '/', env: process.env })
`

let script
let app

afterEach(() => {
  for (const pid of [app, script?.pid]) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
})

/** Starts the script in a process group of its own, without a terminal, and waits for the app. */
async function start(program = APP, shell = null) {
  const args = ['--input-type=module', '-e', SCRIPT, '--', program]
  const [command, ...all] =
    shell === null ? [process.execPath, ...args] : [shell, '-c', '"$@"; exit', shell, process.execPath, ...args]
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  script = spawn(command, all, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  script.stdout.setEncoding('utf8').on('data', (text) => (said.out += text))
  script.stderr.setEncoding('utf8').on('data', (text) => (said.err += text))
  const closed = once(script, 'close')
  await expect.poll(() => said.out, { timeout: 10_000 }).toMatch(/app \d+\n/)
  app = Number(/app (\d+)/.exec(said.out)?.[1])
  return { said, closed }
}

const isGone = (pid) => {
  try {
    return !process.kill(pid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

// A console of Windows has no process groups and no signals to test.
describe.runIf(process.platform !== 'win32')('attend', () => {
  it.each([
    ['sent to the script alone', () => script.kill('SIGINT')],
    ['sent to the whole group', () => process.kill(-script.pid, 'SIGINT')],
    [
      'sent twice, as a terminal and npm do',
      async () => {
        script.kill('SIGINT')
        await sleep(50)
        script.kill('SIGINT')
      },
    ],
  ])('waits for the clean end at an interrupt %s', async (_name, interrupt) => {
    const { said, closed } = await start()
    await interrupt()
    expect(await closed).toEqual([130, null])
    expect(said.out).toContain('quitting\nclean\n')
    expect(said.err).toBe('a word\n')
    expect(isGone(app)).toBe(true)
  })

  it('ends a program that does not quit at the second signal', async () => {
    const { said, closed } = await start()
    script.kill('SIGTERM')
    await expect.poll(() => said.out).toContain('busy')
    await sleep(600)
    const before = performance.now()
    script.kill('SIGINT')
    expect(await closed).toEqual([143, null])
    expect(performance.now() - before).toBeLessThan(2_000)
    expect(isGone(app)).toBe(true)
  })

  it("quits when npm's shell was ended", async () => {
    await start("console.log('app', process.pid); setInterval(() => undefined, 1000)", 'sh')
    script.kill('SIGTERM')
    await expect.poll(() => isGone(app), { timeout: 5_000 }).toBe(true)
  })

  it('has the status of a program that ends by itself', async () => {
    const { closed } = await start("console.log('app', process.pid); setTimeout(() => process.exit(7), 50)")
    expect(await closed).toEqual([7, null])
  })
})
