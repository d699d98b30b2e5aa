import { realpath } from 'node:fs/promises'

import { CompanionError } from '../../contract/index.ts'
import { daemonAddress } from '../daemon/address.ts'
import { openSerialPort } from '../serial/serial-port.ts'

import { askDaemon, HERE_MS, THERE_MS } from './daemons.ts'
import { watchAdapters } from './hot-plug.ts'
import { listSystemPorts } from './list-ports.ts'
import { listenForDaemons } from './mdns.ts'
import { adaptersAmong, plainName } from './ports.ts'
import { probePort } from './probe.ts'

import type { Log, RobotSummary, Unsubscribe } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'
import type { FoundDaemon } from './daemons.ts'
import type { AdapterPort, SystemPort } from './ports.ts'
import type { Probed } from './probe.ts'

export interface FinderDeps {
  readonly clock: Clock
  readonly log: Log
  readonly fetch: typeof globalThis.fetch
  /** Ports and addresses that the person added. */
  readonly saved: () => Promise<readonly string[]>
  /** Of tests; the system's when left out. */
  readonly listPorts?: () => Promise<readonly SystemPort[]>
  readonly openPort?: (path: string) => Promise<BytePort>
  readonly listen?: () => Promise<string[]>
  /** What a port's name leads to. */
  readonly trueName?: (path: string) => Promise<string>
  /** Daemon of this computer. */
  readonly here?: string
}

/** Where a robot is, for whoever opens it. */
export type Place =
  | { readonly kind: 'serial'; readonly paths: readonly string[]; readonly key: string }
  | { readonly kind: 'daemon'; readonly base: string }

export interface Finder {
  /**
   * @param inUse ID of the robot that this app drives: its port is not opened a second time.
   * @param fresh also listens for daemons of the network.
   */
  look(inUse: string | null, fresh: boolean): Promise<RobotSummary[]>
  /**
   * Where the robot of this ID is now: a port's name may be another one after it was plugged in again.
   * @throws CompanionError `robot/not-found`.
   */
  place(id: string): Promise<Place>
  /** Opens the first of a robot's ports that can be opened. @throws CompanionError as `openSerialPort`. */
  open(id: string): Promise<BytePort>
  watch(listener: () => void): Unsubscribe
}

const HERE = 'http://127.0.0.1:8000'
const SERIAL = 'serial:'
const DAEMON = 'daemon:'
const NAME = 'Reachy Mini'

/** Whether a place that a person typed is a serial port rather than an address: a path, or `COM7`. */
export const isPortName = (text: string): boolean => /^(?:\/|com\d+$|\\\\\.\\)/i.test(text.trim())

/** Characters of a port's name. */
const LONGEST_PORT = 200

/** ID of a robot at a place that a person typed. @throws CompanionError `robot/bad-place` for no such place. */
export function idOfPlace(text: string): string {
  const trimmed = text.trim()
  if (trimmed.startsWith(SERIAL) || trimmed.startsWith(DAEMON))
    return idOfPlace(trimmed.slice(trimmed.indexOf(':') + 1))
  if (!isPortName(trimmed)) return `${DAEMON}${daemonAddress(trimmed)}`
  if (trimmed.length > LONGEST_PORT || /\p{C}/u.test(trimmed)) throw new CompanionError('robot/bad-place')
  return `${SERIAL}${trimmed}`
}

export function createFinder(deps: FinderDeps): Finder {
  const { clock, log, fetch } = deps
  const listPorts = deps.listPorts ?? (() => listSystemPorts(log))
  const openPort = deps.openPort ?? openSerialPort
  const listen = deps.listen ?? (() => listenForDaemons(log))
  const here = deps.here ?? HERE
  const trueName = deps.trueName ?? leadsTo
  /** Last seen adapter of each ID. */
  const keys = new Map<string, string>()
  /** Ports that are asked who is there: whoever wants to open one waits a moment. */
  const asked = new Map<string, Promise<unknown>>()

  const adapterAt = async (path: string, all: readonly AdapterPort[]): Promise<AdapterPort | undefined> => {
    const named = (name: string): AdapterPort | undefined =>
      all.find(({ paths }) => paths.some((other) => plainName(other) === plainName(name)))
    // One port has many names, as below /dev/serial/by-id.
    return named(path) ?? named(await trueName(path))
  }

  const adapters = async (): Promise<AdapterPort[]> => {
    const found = adaptersAmong(await listPorts())
    const more: AdapterPort[] = []
    for (const text of await deps.saved()) {
      if (!isPortName(text) || more.some(({ key }) => key === text)) continue
      if ((await adapterAt(text, found)) === undefined) more.push({ paths: [text], key: text })
    }
    return [...found, ...more]
  }

  const openAny = async (paths: readonly string[]): Promise<BytePort> => {
    let failure: unknown = new CompanionError('robot/not-found', { id: paths[0] ?? '' })
    for (const path of paths) {
      try {
        return await openPort(path)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const ask = (paths: readonly string[]): Promise<Probed> => {
    const asking = probePort(() => openAny(paths), clock).finally(() => paths.forEach((path) => asked.delete(path)))
    for (const path of paths) asked.set(path, asking)
    return asking
  }

  const keyOf = async (id: string, all: readonly AdapterPort[]): Promise<string | undefined> => {
    const known = keys.get(id)
    if (known !== undefined) return known
    return (await adapterAt(id.slice(SERIAL.length), all))?.key
  }

  const serialRobots = async (inUse: string | null, local: Promise<FoundDaemon | null>): Promise<RobotSummary[]> => {
    const saved = new Set(await deps.saved())
    const all = await adapters()
    const keyInUse = inUse?.startsWith(SERIAL) === true ? await keyOf(inUse, all) : undefined
    // The one adapter of a computer whose daemon drives a robot is the daemon's: not even a ping belongs on its bus.
    const heldByDaemon = all.length === 1 && (await local)?.holdsPort === true
    return Promise.all(
      all.map(async ({ paths, key, serialNumber }): Promise<RobotSummary> => {
        const connected = inUse !== null && key === keyInUse
        const byPath = `${SERIAL}${paths[0]}`
        // After two robots changed ports, the name of the one in use is taken.
        const id = connected ? inUse : byPath === inUse ? `${byPath} ${key}` : byPath
        keys.set(id, key)
        const probed: Probed = connected ? { state: 'ready' } : heldByDaemon ? { state: 'busy' } : await ask(paths)
        return {
          id,
          kind: 'serial',
          name: NAME,
          place: paths[0],
          connected,
          added: saved.has(paths[0]),
          state: probed.state,
          ...(serialNumber === undefined ? {} : { serialNumber }),
          ...(probed.missing ? { missing: [...probed.missing] } : {}),
        }
      }),
    )
  }

  const daemonRobots = async (
    inUse: string | null,
    fresh: boolean,
    local: Promise<FoundDaemon | null>,
  ): Promise<RobotSummary[]> => {
    const saved = (await deps.saved()).filter((text) => !isPortName(text))
    const heard = fresh ? (await listen()).flatMap(addressOrNone) : []
    const bases = [...new Set([here, ...saved.flatMap(addressOrNone), ...heard])]
    const found = await Promise.all(bases.map((base) => (base === here ? local : askDaemon(base, fetch, THERE_MS))))
    const added = new Set(saved.flatMap(addressOrNone))
    return bases.flatMap((base, i) => {
      const daemon = found[i] ?? null
      const connected = `${DAEMON}${base}` === inUse
      if (daemon === null && !added.has(base) && !connected) return []
      return [daemonSummary(base, daemon, connected, added.has(base))]
    })
  }

  return {
    async look(inUse, fresh) {
      const local = askDaemon(here, fetch, HERE_MS)
      const [serial, daemons] = await Promise.all([serialRobots(inUse, local), daemonRobots(inUse, fresh, local)])
      const holder = (await local)?.holdsPort === true ? `${DAEMON}${here}` : undefined
      return [
        ...serial.map((robot) => (robot.state === 'busy' && holder ? { ...robot, heldBy: holder } : robot)),
        ...daemons,
      ]
    },
    async place(id) {
      if (id.startsWith(DAEMON)) return { kind: 'daemon', base: daemonAddress(id.slice(DAEMON.length)) }
      if (!id.startsWith(SERIAL)) throw new CompanionError('robot/not-found', { id })
      const path = id.slice(SERIAL.length)
      const all = await adapters()
      const known = keys.get(id)
      const adapter = all.find(({ key }) => key === known) ?? (await adapterAt(path, all))
      // A port that no list names may be opened all the same: a pseudo-terminal, an adapter of another maker.
      if (adapter === undefined) return { kind: 'serial', paths: [path], key: path }
      keys.set(id, adapter.key)
      return { kind: 'serial', paths: adapter.paths, key: adapter.key }
    },
    async open(id) {
      const place = await this.place(id)
      if (place.kind !== 'serial') throw new CompanionError('robot/not-found', { id })
      for (const path of place.paths) await asked.get(path)
      return openAny(place.paths)
    },
    watch: (listener) => watchAdapters({ list: listPorts, clock, log, listener }),
  }
}

/** What a link leads to; the name itself where there is none, as on Windows. */
async function leadsTo(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Not there now, or no file at all: it keeps its name.
    return path
  }
}

function addressOrNone(text: string): string[] {
  try {
    return [daemonAddress(text)]
  } catch {
    // A stranger's announcement, or a setting edited by hand: no address to ask.
    return []
  }
}

function daemonSummary(base: string, daemon: FoundDaemon | null, connected: boolean, added: boolean): RobotSummary {
  return {
    id: `${DAEMON}${base}`,
    kind: 'daemon',
    name: daemon?.name ?? NAME,
    place: base.replace(/^https?:\/\//, ''),
    connected,
    added,
    state: connected ? 'ready' : (daemon?.state ?? 'absent'),
    ...(daemon?.version === undefined ? {} : { version: daemon.version }),
    ...(daemon?.missing ? { missing: [...daemon.missing] } : {}),
    ...(daemon?.holder === undefined ? {} : { holder: daemon.holder }),
  }
}
