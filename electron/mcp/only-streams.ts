import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** A stream of the new process, what is left as it is, or a descriptor of ours that it gets instead. */
type Stdio = ('pipe' | 'ignore' | number)[]

/**
 * Standard streams for a program that is started, and nothing else of this process. On Linux a new process is handed every
 * descriptor that is not marked otherwise, and Chromium marks few of its own: sockets to the page, shared memory, files of
 * the browser. Each of those is covered with the empty device.
 * @param start is given what `spawn` takes as `stdio`.
 */
export function withOnlyStreams<Started>(start: (stdio: Stdio) => Started): Started {
  // macOS closes them by itself (POSIX_SPAWN_CLOEXEC_DEFAULT in libuv), Windows hands on only what is marked for it.
  if (process.platform !== 'linux') return start(['pipe', 'pipe', 'pipe'])
  const empty = openSync(devNull, constants.O_RDWR)
  try {
    const handedOn = new Set(readdirSync('/proc/self/fdinfo').map(Number).filter(isHandedOn))
    // The numbers between them are left alone: by one of them the failure to start is told.
    const others = Array.from({ length: Math.max(2, ...handedOn) - 2 }, (_, i) =>
      handedOn.has(i + 3) ? empty : 'ignore',
    )
    return start(['pipe', 'pipe', 'pipe', ...others])
  } finally {
    closeSync(empty)
  }
}

/** `FD_CLOEXEC` as the kernel tells it with the flags of an open file (proc(5), fdinfo). */
const CLOSED_ON_EXEC = 0o2000000

function isHandedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0
  } catch (error) {
    // Closed since the listing.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
