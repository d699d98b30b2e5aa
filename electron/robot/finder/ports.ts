/** Which of the computer's serial ports may be a Reachy Mini's. Pure. */

/** What a system tells about a serial port (`SerialPort.list()`, or sysfs). */
export interface SystemPort {
  readonly path: string
  readonly vendorId?: string | undefined
  readonly productId?: string | undefined
  readonly serialNumber?: string | undefined
  /** Where it is plugged in. */
  readonly locationId?: string | undefined
}

/** An adapter of the kind that the robot has. */
export interface AdapterPort {
  /** Names of the same adapter, the better one first. */
  readonly paths: readonly [string, ...string[]]
  /** The same for the same adapter, wherever it is plugged in next. */
  readonly key: string
  readonly serialNumber?: string
}

/** WCH CH343, the robot's adapter; boards of other makers have it too, so the motors are asked before anything is written. */
export const ADAPTER = { vendorId: '1a86', productId: '55d3' } as const

/**
 * Adapters of the robot's kind, each once: on macOS one adapter has a name by Apple's driver and, where it is installed,
 * one by its maker's (https://github.com/WCHSoftGroup/ch34xser_macos/issues/9).
 */
export function adaptersAmong(ports: readonly SystemPort[]): AdapterPort[] {
  const groups = new Map<string, SystemPort[]>()
  for (const port of ports) {
    // Systems write the numbers in either case.
    if (port.vendorId?.toLowerCase() !== ADAPTER.vendorId || port.productId?.toLowerCase() !== ADAPTER.productId)
      continue
    const key = port.serialNumber ?? port.locationId ?? port.path
    groups.set(key, [...(groups.get(key) ?? []), port])
  }
  return [...groups].map(([key, group]) => {
    const paths = group.map(({ path }) => path).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    const serialNumber = group[0]?.serialNumber
    return {
      paths: paths as [string, ...string[]],
      key,
      ...(serialNumber === undefined ? {} : { serialNumber }),
    }
  })
}

const rank = (path: string): number => (/usbmodem/.test(path) ? 0 : /wchusbserial/.test(path) ? 1 : 0)
