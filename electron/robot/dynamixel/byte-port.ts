import type { Unsubscribe } from '../../contract/index.ts'

/** A two-way stream of bytes to the motors: a serial device, a pseudo-terminal, memory. */
export interface BytePort {
  /** Resolves when the bytes have left. It may never do so: whoever cannot wait races it against a clock. */
  write(bytes: Uint8Array): Promise<void>
  onData(listener: (bytes: Uint8Array) => void): Unsubscribe
  /** The other side went away. Not called for one's own {@link close}. */
  onClose(listener: () => void): Unsubscribe
  close(): Promise<void>
}
