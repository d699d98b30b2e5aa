import { readdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

import { z } from 'zod'

import type { Log } from '../../contract/index.ts'
import type { SystemPort } from './ports.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
const portsSchema = z.array(
  z.object({ path: z.string(), vendorId: text, productId: text, serialNumber: text, locationId: text }),
)

/** Where Linux tells about its terminals. */
const SYSFS = '/sys/class/tty'

/**
 * The serial ports of this computer. On Linux the kernel is asked itself: the library needs the program `udevadm` there,
 * and starts it anew each time.
 */
export async function listSystemPorts(log: Log): Promise<SystemPort[]> {
  if (process.platform === 'linux') return listSysfs(SYSFS)
  try {
    const { SerialPort } = await import('serialport')
    return portsSchema.parse((await SerialPort.list()) as unknown)
  } catch (error) {
    log.warn('the system does not list its serial ports', { error: String(error) })
    return []
  }
}

/** @param root folder laid out as `/sys/class/tty`. */
export async function listSysfs(root: string): Promise<SystemPort[]> {
  const names = (await readDirectory(root)).filter((name) => /^tty(?:ACM|USB)\d+$/.test(name))
  return Promise.all(names.map((name) => describe(root, name)))
}

async function describe(root: string, name: string): Promise<SystemPort> {
  const port: SystemPort = { path: `/dev/${name}` }
  let folder: string
  try {
    folder = await realpath(path.join(root, name, 'device'))
  } catch {
    // A port that went away meanwhile, or one that is no USB device.
    return port
  }
  // The interface's folder lies in the device's, which holds the numbers.
  for (let level = 0; level < 3; level += 1, folder = path.dirname(folder)) {
    const vendorId = await readLine(path.join(folder, 'idVendor'))
    if (vendorId === undefined) continue
    return {
      ...port,
      vendorId,
      productId: await readLine(path.join(folder, 'idProduct')),
      serialNumber: await readLine(path.join(folder, 'serial')),
      locationId: path.basename(folder),
    }
  }
  return port
}

async function readDirectory(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    // Not Linux, or a container without it: no ports to tell of.
    return []
  }
}

async function readLine(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    // This attribute is not told here; the next folder up may.
    return undefined
  }
}
