import { CompanionError } from '../../contract/index.ts'

import { AUDIO_BOARD } from './protocol.ts'

import type { UsbDevice } from './audio-board.ts'
import type { ControlRead } from './protocol.ts'

/** For one transfer, ms; the board answers at once, if only that it is busy. */
const TRANSFER_MS = 500

/** Error numbers of libusb (libusb.h, `enum libusb_error`). */
const ACCESS = -3
const NO_DEVICE = -4
/** Of a transfer that ended without its device (`enum libusb_transfer_status`). */
const TRANSFER_NO_DEVICE = 5

function asRobotError(error: unknown): CompanionError {
  if (error instanceof CompanionError) return error
  const { errno } = error as { errno?: unknown }
  const code =
    errno === ACCESS
      ? 'robot/no-permission'
      : errno === NO_DEVICE || errno === TRANSFER_NO_DEVICE
        ? 'robot/disconnected'
        : 'robot/unreadable'
  return new CompanionError(code, {}, { cause: error })
}

/** Opens the audio board of this computer. @throws CompanionError `robot/not-found`, `robot/no-permission`, `robot/unreadable`. */
export async function openAudioBoard(): Promise<UsbDevice> {
  try {
    const { findByIds } = await import('usb')
    const device = findByIds(AUDIO_BOARD.vendorId, AUDIO_BOARD.productId)
    if (device === undefined) throw new CompanionError('robot/not-found', { id: 'Reachy Mini Audio' })
    device.open()
    device.timeout = TRANSFER_MS
    return {
      read: ({ requestType, request, value, index, length }: ControlRead) =>
        new Promise((resolve, reject) => {
          device.controlTransfer(requestType, request, value, index, length, (error, data) => {
            if (error === undefined && data instanceof Uint8Array) resolve(data)
            else reject(asRobotError(error))
          })
        }),
      close: () => device.close(),
    }
  } catch (error) {
    throw asRobotError(error)
  }
}
