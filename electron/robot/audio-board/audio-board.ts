import { CompanionError } from '../../contract/index.ts'

import { decodeAnswer, DIRECTION, DIRECTION_SINCE, readOf, VERSION, yawOf } from './protocol.ts'

import type { Clock } from '../clock.ts'
import type { ControlRead, Parameter } from './protocol.ts'

/** An open board. Its requests are made one after the other. */
export interface UsbDevice {
  /** @throws CompanionError `robot/disconnected`, `robot/no-permission`, `robot/unreadable`. */
  read(request: ControlRead): Promise<Uint8Array>
  close(): void
}

export interface AudioBoardDeps {
  readonly clock: Clock
  /** Opens the board of this computer. @throws CompanionError `robot/not-found`, `robot/no-permission`, `robot/unreadable`. */
  readonly open: () => Promise<UsbDevice>
}

export interface SoundDirection {
  /** Yaw of a head that looks there, radians, left positive. What comes from behind is heard in front. */
  readonly yaw: number
  readonly speech: boolean
}

/** The robot's microphones: which firmware they run, and where a sound comes from. Opened when it is asked, kept open. */
export interface AudioBoard {
  /** Firmware as `2.1.4`. @throws CompanionError `robot/…` why it cannot be asked. */
  version(): Promise<string>
  /** @throws CompanionError as {@link version}; `robot/unreadable` for firmware that does not know it. */
  direction(): Promise<SoundDirection>
  dispose(): void
}

/** Pause before the same is asked again, ms, and how often. */
const AGAIN_MS = 10
const MOST_TIMES = 100

export function createAudioBoard({ clock, open }: AudioBoardDeps): AudioBoard {
  let device: Promise<UsbDevice> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let firmware: readonly number[] | null = null
  let disposed = false

  const close = (): void => {
    device?.then((opened) => opened.close()).catch(() => undefined)
    device = null
    firmware = null
  }

  const ask = async (parameter: Parameter): Promise<readonly number[]> => {
    device ??= open()
    const opened = await device
    for (let times = 0; times < MOST_TIMES; times += 1) {
      const answer = decodeAnswer(parameter, await opened.read(readOf(parameter)))
      if (answer.state === 'values') return answer.values
      if (answer.state === 'bad') throw new CompanionError('robot/unreadable', { reason: answer.reason })
      await new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve))
    }
    throw new CompanionError('robot/unreadable', { reason: 'not ready' })
  }

  /** One after the other: two requests at once on one handle are not safe in libusb. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(async () => {
      if (disposed) throw new CompanionError('app/cancelled')
      try {
        return await work()
      } catch (error) {
        // Whatever it was: the next question opens it anew.
        close()
        throw error
      }
    })
    last = mine.catch(() => undefined)
    return mine
  }

  const known = async (): Promise<readonly number[]> => {
    firmware ??= await ask(VERSION)
    return firmware
  }

  return {
    version: () => inTurn(async () => (await known()).join('.')),
    direction: () =>
      inTurn(async () => {
        const [major = 0, minor = 0] = await known()
        const [since, sinceMinor] = DIRECTION_SINCE
        if (major < since || (major === since && minor < sinceMinor)) {
          throw new CompanionError('robot/unreadable', { reason: `firmware ${major}.${minor}` })
        }
        const [angle = 0, speech = 0] = await ask(DIRECTION)
        return { yaw: yawOf(angle), speech: speech !== 0 }
      }),
    dispose() {
      disposed = true
      close()
    },
  }
}
