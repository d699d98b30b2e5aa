import { CompanionError } from '../../contract/index.ts'

import type { ErrorCode } from '../../contract/index.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'

/** Of the robot's adapter, a WCH CH343: 8 data bits, no parity, 1 stop bit, no flow control. */
export const BAUD_RATE = 1_000_000

/**
 * What a failed opening means, by the words of the three systems; the library hands on no error numbers.
 * @param message of the library's error.
 */
export function openingFailure(message: string): ErrorCode {
  if (/no such file|file not found|enoent|unknown error code (2|3)\b/i.test(message)) return 'robot/not-found'
  if (
    /cannot lock port|resource busy|temporarily unavailable|access denied|ebusy|device or resource busy/i.test(message)
  ) {
    return 'robot/busy'
  }
  if (/permission denied|operation not permitted|eacces|eperm/i.test(message)) return 'robot/no-permission'
  // A file, a folder, a device that is no serial port.
  if (/inappropriate ioctl|is a directory|not a (?:tty|typewriter)/i.test(message)) return 'robot/unknown-device'
  return 'robot/disconnected'
}

/**
 * Opens a serial port for the motors' bus. The port belongs to this process alone until it is closed.
 * @param path as the system names it: `/dev/ttyACM0`, `/dev/cu.usbmodem…`, `COM5`. Whether it exists is found by opening it:
 * on Windows there is no other way (https://github.com/pollen-robotics/reachy_mini/issues/407).
 * @throws CompanionError `robot/not-found`, `robot/busy`, `robot/no-permission`, `robot/unknown-device` for what is no serial port,
 * `robot/disconnected`.
 */
export async function openSerialPort(path: string): Promise<BytePort> {
  const { SerialPort } = await import('serialport')
  const port = new SerialPort({ path, baudRate: BAUD_RATE, autoOpen: false, lock: true, highWaterMark: 64 * 1024 })
  const dataListeners = new Set<(bytes: Uint8Array) => void>()
  const closeListeners = new Set<() => void>()
  let open = false
  /** Ends writes that the system never answers once the device is gone. */
  const leaving = new Set<(error: CompanionError) => void>()

  const lost = (): void => {
    if (!open) return
    open = false
    for (const reject of leaving) reject(new CompanionError('robot/disconnected'))
    leaving.clear()
    for (const listener of closeListeners) listener()
    // Releases the handle of a device that is gone; a second close is no harm.
    if (port.isOpen) port.close(() => undefined)
  }

  await new Promise<void>((resolve, reject) => {
    port.open((error) => {
      if (error === null) resolve()
      else reject(new CompanionError(openingFailure(error.message), { id: path, path }, { cause: error }))
    })
  })
  open = true
  port.on('data', (bytes: Buffer) => {
    for (const listener of dataListeners) listener(bytes)
  })
  port.on('close', lost)
  port.on('error', lost)

  return {
    write(bytes) {
      if (!open) return Promise.reject(new CompanionError('robot/disconnected'))
      return new Promise((resolve, reject) => {
        leaving.add(reject)
        port.write(bytes, (error) => {
          leaving.delete(reject)
          if (!error) {
            resolve()
            return
          }
          // Windows reports an unplugged adapter here and nowhere else
          // (https://github.com/serialport/node-serialport/issues/1361).
          reject(new CompanionError('robot/disconnected', {}, { cause: error }))
          lost()
        })
      })
    },
    onData(listener) {
      dataListeners.add(listener)
      return () => dataListeners.delete(listener)
    },
    onClose(listener) {
      closeListeners.add(listener)
      return () => closeListeners.delete(listener)
    },
    close() {
      if (!open) return Promise.resolve()
      open = false
      dataListeners.clear()
      closeListeners.clear()
      for (const reject of leaving) reject(new CompanionError('robot/disconnected'))
      leaving.clear()
      return new Promise((resolve) => {
        port.close(() => resolve())
      })
    },
  }
}
