import { closeSync, constants, openSync, readdirSync, readlinkSync } from 'node:fs'

import nodePty from '@lydell/node-pty'

import { createSimulatedRobot } from '../simulator/device.ts'

import type { SimulatedRobot } from '../simulator/device.ts'
import type { Faults } from '../simulator/faults.ts'

/** A simulated robot behind a pseudo-terminal: a real serial port for whoever opens it. Not on Windows. */
export interface PtyRobot {
  /** Of the port. */
  readonly path: string
  readonly robot: SimulatedRobot
  setFaults(change: Partial<Faults>): void
  /** Bytes of nobody on the wire. */
  inject(bytes: Uint8Array): void
  /** The cable is pulled: the port is gone for good. */
  close(): void
}

/** 1 start bit, 8 data bits and 1 stop bit at 1,000,000 baud, milliseconds a byte; and the frames of full-speed USB. */
const MS_PER_BYTE = 0.01
const USB_FRAME_MS = 1

/** What of the package is used; its types leave `open` and the parts of a terminal out. */
interface PtyLibrary {
  open(options: { encoding: null }): PtyTerminal
}
interface PtyTerminal {
  readonly _pty: string
  readonly _master: NodeJS.ReadWriteStream & { destroy(): void }
  readonly _slave: { destroy(): void }
}

/**
 * Node opens a terminal anew by its name for the stream and leaves the package's own descriptor behind: it would be one more
 * for each robot. Where descriptors cannot be listed it stays.
 */
function closeFirst(path: string): void {
  if (process.platform !== 'linux') return
  const opened = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => nameOf(fd) === path)
    .sort((a, b) => a - b)
  // The stream's, the one that is held, and the first.
  if (opened.length > 2 && opened[0] !== undefined) closeSync(opened[0])
}

function nameOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // The descriptor by which the list was read.
    return ''
  }
}

/** @param paced answers come as late as on the real wire; else at once. */
export function openPtyRobot({ paced = true, seed = 1 } = {}): PtyRobot {
  const terminal = (nodePty as unknown as PtyLibrary).open({ encoding: null })
  const path = terminal._pty
  // Keeps the terminal alive between two openings; the package's own stream would take bytes meant for the driver.
  const held = openSync(path, constants.O_RDWR | constants.O_NOCTTY)
  closeFirst(path)
  terminal._slave.destroy()
  const master = terminal._master
  const robot = createSimulatedRobot(seed)
  let open = true

  const send = (bytes: Uint8Array): void => {
    if (open) master.write(bytes)
  }
  const answer = (bytes: Uint8Array): void => {
    if (robot.faults.stuck) return
    const replies = robot.receive(bytes, performance.now())
    const wire = bytes.length + replies.reduce((sum, reply) => sum + reply.length, 0)
    const late = robot.faults.lateMs + (paced ? USB_FRAME_MS + wire * MS_PER_BYTE : 0)
    if (late === 0) replies.forEach(send)
    else setTimeout(() => replies.forEach(send), late)
  }
  master.on('data', (bytes: Buffer) => answer(bytes))
  master.on('error', () => undefined)

  return {
    path,
    robot,
    setFaults: (change) => robot.setFaults(change),
    inject: send,
    close() {
      if (!open) return
      open = false
      closeSync(held)
      master.destroy()
    },
  }
}
