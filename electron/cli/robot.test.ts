import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startDaemon } from '../../e2e/servers/daemon.ts'
import { openPtyRobot } from '../robot/testing/pty-robot.ts'

import { runCli } from './run.ts'

import type { PtyRobot } from '../robot/testing/pty-robot.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'cli-robot-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

interface Answer {
  readonly status: number
  readonly answer: Record<string, unknown>
}

async function run(args: readonly string[], signal = new AbortController().signal): Promise<Answer> {
  let stdout = ''
  const status = await runCli({
    args: [...args, '--json', '--data-dir', dataDir],
    env: {},
    root: path.resolve(import.meta.dirname, '../..'),
    version: '0.0.0',
    fetch,
    signal,
    stdout: (piece) => void (stdout += piece),
    stderr: () => undefined,
  })
  return { status, answer: JSON.parse(stdout) as Record<string, unknown> }
}

function robotOnPty(): { pty: PtyRobot; flag: string; torque: (id: number) => number } {
  const pty = openPtyRobot()
  onTestFinished(() => pty.close())
  const torque = (id: number): number => (pty.robot.motor(id)?.read(64, 1) as Uint8Array)[0] ?? NaN
  return { pty, flag: `serial:${pty.path}`, torque }
}

const TORQUE_ON = Uint8Array.of(1)

// Real time on a machine that may be busy: a wire that was not served for some 100 ms is a wire that is lost.
describe('commands of a robot on a port', { timeout: 60_000, retry: 2 }, () => {
  it('tell how it is', async () => {
    const { flag } = robotOnPty()
    const { status, answer } = await run(['robot', 'status', '--robot', flag])
    expect(status).toBe(0)
    expect(answer).toMatchObject({ ok: true, robot: { id: flag, kind: 'serial', torque: false } })
    const { head, body_yaw, antennas, motors } = answer.robot as Record<string, unknown>
    expect(Object.keys(head as object)).toEqual(['x', 'y', 'z', 'roll', 'pitch', 'yaw'])
    expect(body_yaw).toBeCloseTo(0, 2)
    expect(antennas).toHaveLength(2)
    expect(motors).toHaveLength(9)
    expect((motors as unknown[])[0]).toMatchObject({ id: 10, name: 'body_rotation', voltage: 7.2 })
  })

  it('stop it, also with a motor missing that cannot confirm', async () => {
    const { pty, flag, torque } = robotOnPty()
    for (const id of [10, 12, 14, 18]) pty.robot.motor(id)?.write(64, TORQUE_ON)
    expect(await run(['robot', 'stop', '--robot', flag])).toEqual({ status: 0, answer: { ok: true, robot: flag } })
    expect([10, 12, 14, 18].map(torque)).toEqual([0, 0, 0, 0])
    for (const id of [10, 12, 14, 18]) pty.robot.motor(id)?.write(64, TORQUE_ON)
    pty.setFaults({ missing: [14] })
    expect(await run(['robot', 'stop', '--robot', flag])).toMatchObject({
      status: 1,
      answer: { ok: false, error: { code: 'robot/missing-motors' } },
    })
    expect([10, 12, 18].map(torque)).toEqual([0, 0, 0])
  })

  it('that is interrupted lies down and is left limp', async () => {
    const { flag, torque } = robotOnPty()
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 2_500)
    const { status, answer } = await run(['robot', 'play', 'dance2', '--robot', flag], abort.signal)
    expect(status).toBe(1)
    expect(answer).toMatchObject({ ok: false, error: { code: expect.stringMatching(/cancelled$/) as string } })
    expect([10, 12, 18].map(torque)).toEqual([0, 0, 0])
  })

  it.each([
    [{ power: false }, 'robot/no-power'],
    [{ foreign: true }, 'robot/unknown-device'],
  ])('with %j fail and say why', async (faults, code) => {
    const { pty, flag } = robotOnPty()
    pty.setFaults(faults)
    expect(await run(['robot', 'wake', '--robot', flag])).toMatchObject({ status: 1, answer: { error: { code } } })
  })

  it.each([
    ['serial:/dev/ttyACM_none', 'robot/not-found', 1],
    ['com7', 'cli/usage', 2],
  ])('%s is %s', async (flag, code, status) => {
    expect(await run(['robot', 'status', '--robot', flag])).toMatchObject({ status, answer: { error: { code } } })
  })
})

describe('commands of a robot behind a daemon', { timeout: 60_000 }, () => {
  it('wake it and leave it awake, then stop it', async () => {
    const daemon = await startDaemon()
    onTestFinished(() => daemon.close())
    const flag = `daemon:${daemon.url}`
    expect(await run(['robot', 'wake', '--robot', flag])).toMatchObject({
      status: 0,
      answer: { ok: true, robot: { id: flag, kind: 'daemon', torque: true } },
    })
    expect(daemon.torque).toBe(true)
    expect(await run(['robot', 'stop', '--robot', flag])).toMatchObject({ status: 0, answer: { robot: flag } })
    expect(daemon.torque).toBe(false)
  })
})
