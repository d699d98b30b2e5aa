import { describe, expect, it } from 'vitest'

import { CompanionError } from '../../contract/index.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { createAudioBoard } from './audio-board.ts'
import { decodeAnswer, DIRECTION, readOf, VERSION, yawOf } from './protocol.ts'
import { openAudioBoard } from './usb-device.ts'

import type { UsbDevice } from './audio-board.ts'
import type { ControlRead } from './protocol.ts'

const floats = (...values: number[]): number[] => [...new Uint8Array(Float32Array.from(values).buffer)]

describe('the bytes', () => {
  it('of a read are those of the board', () => {
    expect(readOf(VERSION)).toEqual({ requestType: 0xc0, request: 0, value: 0x80, index: 48, length: 4 })
    expect(readOf(DIRECTION)).toEqual({ requestType: 0xc0, request: 0, value: 0x93, index: 20, length: 9 })
  })

  it.each([
    ['a version', VERSION, [0, 2, 1, 4], { state: 'values', values: [2, 1, 4] }],
    ['a direction', DIRECTION, [0, ...floats(0.5, 1)], { state: 'values', values: [0.5, 1] }],
    ['more than was asked for', VERSION, [0, 2, 1, 4, 9], { state: 'values', values: [2, 1, 4] }],
    ['busy', DIRECTION, [64, 0, 0], { state: 'not-yet' }],
    ['another status', VERSION, [3, 0, 0, 0], { state: 'bad', reason: 'status 3' }],
    ['nothing', VERSION, [], { state: 'bad', reason: 'empty' }],
    ['less than was asked for', DIRECTION, [0, 1, 2], { state: 'bad', reason: '3 of 9 bytes' }],
    ['no number', DIRECTION, [0, ...floats(NaN, 1)], { state: 'bad', reason: 'no number' }],
  ] as const)('that say %s', (_what, parameter, bytes, expected) => {
    expect(decodeAnswer(parameter, Uint8Array.from(bytes))).toEqual(expected)
  })

  it('count from the left over the front to the right', () => {
    expect([0, Math.PI / 2, Math.PI].map(yawOf)).toEqual([Math.PI / 2, 0, -Math.PI / 2])
  })
})

/** A board that speaks the same transfers: busy for a while, with a firmware, a sound somewhere, and a cable. */
function board({ firmware = [2, 1, 4], busy = 0, angle = 0.5, speech = 1 } = {}) {
  const state = { opened: 0, closed: 0, plugged: true, busy, asked: [] as number[], overlapping: 0, under: 0 }
  const answer = ({ index, value }: ControlRead): number[] => {
    if (state.busy > 0) {
      state.busy -= 1
      return [64]
    }
    if (index === 48 && value === 0x80) return [0, ...firmware]
    if (index === 20 && value === 0x93) return [0, ...floats(angle, speech)]
    return [1]
  }
  const open = (): Promise<UsbDevice> => {
    if (!state.plugged) return Promise.reject(new CompanionError('robot/not-found'))
    state.opened += 1
    return Promise.resolve({
      async read(request) {
        state.asked.push(request.value)
        state.under += 1
        state.overlapping = Math.max(state.overlapping, state.under)
        await Promise.resolve()
        state.under -= 1
        if (!state.plugged) throw new CompanionError('robot/disconnected')
        return Uint8Array.from(answer(request))
      },
      close: () => void (state.closed += 1),
    })
  }
  return { state, open }
}

describe('the audio board', () => {
  it('tells its firmware once, and where a sound comes from each time', async () => {
    const { state, open } = board()
    const audio = createAudioBoard({ clock: createVirtualClock(), open })
    expect(await audio.version()).toBe('2.1.4')
    const heard = await audio.direction()
    expect(heard.yaw).toBeCloseTo(Math.PI / 2 - 0.5)
    expect(heard.speech).toBe(true)
    await audio.direction()
    expect(state.asked).toEqual([0x80, 0x93, 0x93])
    expect(state.opened).toBe(1)
    audio.dispose()
    await expect(audio.version()).rejects.toMatchObject({ code: 'app/cancelled' })
    expect(state.closed).toBe(1)
  })

  it('is asked one question at a time', async () => {
    const { state, open } = board()
    const audio = createAudioBoard({ clock: createVirtualClock(), open })
    await Promise.all([audio.direction(), audio.version(), audio.direction(), audio.direction()])
    expect(state.overlapping).toBe(1)
  })

  it.each([
    [5, 'ready'],
    [99, 'ready'],
    [100, 'not ready'],
  ])('that is busy %i times is %s', async (busy, outcome) => {
    const clock = createVirtualClock()
    const { open } = board({ busy })
    const audio = createAudioBoard({ clock, open })
    const version = audio.version().then(
      () => 'ready',
      (error: CompanionError) => error.details.reason,
    )
    await clock.advance(2_000)
    expect(await version).toBe(outcome)
  })

  it.each([
    [[2, 0, 9], 'robot/unreadable'],
    [[1, 9, 0], 'robot/unreadable'],
    [[2, 1, 0], null],
    [[3, 0, 0], null],
  ])('with firmware %j: direction %s', async (firmware, code) => {
    const audio = createAudioBoard({ clock: createVirtualClock(), open: board({ firmware }).open })
    const answer = await audio.direction().then(
      () => null,
      (error: CompanionError) => error.code,
    )
    expect(answer).toBe(code)
  })

  it('that is unplugged says so, and is opened anew when it is back', async () => {
    const { state, open } = board()
    const audio = createAudioBoard({ clock: createVirtualClock(), open })
    await audio.version()
    state.plugged = false
    await expect(audio.direction()).rejects.toMatchObject({ code: 'robot/disconnected' })
    await expect(audio.version()).rejects.toMatchObject({ code: 'robot/not-found' })
    expect(state.closed).toBe(1)
    state.plugged = true
    expect(await audio.version()).toBe('2.1.4')
    expect(state.opened).toBe(2)
  })

  it('is looked for through the real library, which finds none where there is none', async () => {
    const code = await openAudioBoard().then(
      (device) => {
        device.close()
        return 'there is one'
      },
      (error: unknown) => (error instanceof CompanionError ? error.code : error),
    )
    expect(['there is one', 'robot/not-found', 'robot/no-permission', 'robot/unreadable']).toContain(code)
  })
})
