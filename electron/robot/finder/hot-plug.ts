import { adaptersAmong, ADAPTER } from './ports.ts'

import type { Log, Unsubscribe } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { SystemPort } from './ports.ts'

/**
 * Where a system's events do not come (no USB file system in a container, descriptors that cannot be read yet,
 * https://github.com/node-usb/node-usb/issues/172), the list of ports is looked at this often, ms.
 */
const LOOK_MS = 3_000
/** From the event until the port can be opened, ms: its driver comes after the device. */
const SETTLE_MS = 300

/** Calls back when an adapter of the robot's kind came or went; by the system's events, and by looking. */
export function watchAdapters(deps: {
  list: () => Promise<readonly SystemPort[]>
  clock: Clock
  log: Log
  listener: () => void
}): Unsubscribe {
  const { list, clock, log, listener } = deps
  let over = false
  let known: string | undefined
  let cancel: () => void = () => undefined
  let stopEvents: () => void = () => undefined

  const look = async (): Promise<void> => {
    try {
      const now = JSON.stringify(adaptersAmong(await list()))
      const changed = known !== undefined && now !== known
      known = now
      if (changed && !over) listener()
    } catch (error) {
      log.warn('serial ports could not be listed', { error: String(error) })
    }
    if (!over) cancel = clock.after(LOOK_MS, () => void look())
  }
  const lookSoon = (): void => {
    cancel()
    if (!over) cancel = clock.after(SETTLE_MS, () => void look())
  }

  void look()
  followEvents(lookSoon).then(
    (stop) => {
      if (over) stop()
      else stopEvents = stop
    },
    (error: unknown) => log.debug('no USB events on this system', { error: String(error) }),
  )
  return () => {
    over = true
    cancel()
    stopEvents()
  }
}

async function followEvents(listener: () => void): Promise<Unsubscribe> {
  const { usb } = await import('usb')
  const onEvent = ({ deviceDescriptor }: { deviceDescriptor: { idVendor: number; idProduct: number } }): void => {
    const { idVendor, idProduct } = deviceDescriptor
    if (idVendor === parseInt(ADAPTER.vendorId, 16) && idProduct === parseInt(ADAPTER.productId, 16)) listener()
  }
  usb.on('attach', onEvent)
  usb.on('detach', onEvent)
  usb.unrefHotplugEvents()
  return () => {
    usb.off('attach', onEvent)
    usb.off('detach', onEvent)
  }
}
