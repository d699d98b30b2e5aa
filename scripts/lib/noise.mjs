/**
 * What Chromium says on every start without a desktop session or a graphics card, and what no one can act on: no D-Bus
 * (`dbus/bus.cc`), the GPU process falling back to software and the messages that its end cuts off.
 */
const NOISE =
  /^\[[^\]]*\] *(ContextResult::\w+: *)?(Failed to connect to the bus|Exiting GPU process|Failed to send GpuControl|fail_if_major_perf_caveat)/

/** Whether a line of Electron's standard error is left out. */
export const isNoise = (line) => NOISE.test(line)

/**
 * Passes on whole lines except for the noise, bytes as they came.
 * @param {(bytes: Buffer) => void} write
 * @returns {{ push: (chunk: Buffer) => void, end: () => void }} `end` passes on a last line without an end.
 */
export function createNoiseFilter(write) {
  let rest = Buffer.alloc(0)
  const pass = (line) => {
    if (!isNoise(line.toString('utf8'))) write(line)
  }
  return {
    push(chunk) {
      rest = Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        pass(rest.subarray(0, end + 1))
        rest = rest.subarray(end + 1)
      }
    },
    end() {
      if (rest.length > 0) pass(rest)
      rest = Buffer.alloc(0)
    },
  }
}
