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

/** Both names that macOS gives one port: for calling in and for calling out. */
export const plainName = (path: string): string => path.replace(/^\/dev\/(?:cu|tty)\./, '')

const told = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** Whether two names are of one adapter. Two adapters may well have one serial number, or none. */
function sameAdapter(a: SystemPort, b: SystemPort): boolean {
  const [serialA, serialB] = [told(a.serialNumber), told(b.serialNumber)]
  if (serialA !== undefined && serialB !== undefined && serialA !== serialB) return false
  const [placeA, placeB] = [told(a.locationId), told(b.locationId)]
  if (placeA !== undefined && placeB !== undefined) return placeA === placeB
  if (serialA !== undefined && serialB !== undefined) return true
  const bare = (path: string): string => plainName(path).replace(/^(?:usbmodem|wchusbserial)/, '')
  return bare(a.path) === bare(b.path)
}

/**
 * Adapters of the robot's kind, each once: on macOS one adapter has a name by Apple's driver and, where it is installed,
 * one by its maker's (https://github.com/WCHSoftGroup/ch34xser_macos/issues/9), each for calling in and for calling out.
 */
export function adaptersAmong(ports: readonly SystemPort[]): AdapterPort[] {
  const groups: SystemPort[][] = []
  for (const port of ports) {
    // Systems write the numbers in either case.
    if (port.vendorId?.toLowerCase() !== ADAPTER.vendorId || port.productId?.toLowerCase() !== ADAPTER.productId)
      continue
    const group = groups.find((others) => others.every((other) => sameAdapter(other, port)))
    if (group === undefined) groups.push([port])
    else group.push(port)
  }
  const serials = groups.map((group) => group.map(({ serialNumber }) => told(serialNumber)).find(Boolean))
  return groups.map((group, i) => {
    const paths = group.map(({ path }) => path).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    const serialNumber = serials[i]
    const place = group.map(({ locationId }) => told(locationId)).find(Boolean) ?? group[0]?.path ?? ''
    const shared = serials.indexOf(serialNumber) !== serials.lastIndexOf(serialNumber)
    const key = serialNumber === undefined ? place : shared ? `${serialNumber} at ${place}` : serialNumber
    return {
      paths: paths as [string, ...string[]],
      key,
      ...(serialNumber === undefined ? {} : { serialNumber }),
    }
  })
}

const rank = (path: string): number => (path.includes('wchusbserial') ? 1 : 0)
