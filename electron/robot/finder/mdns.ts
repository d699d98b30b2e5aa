import type { Log } from '../../contract/index.ts'

/** What daemons announce themselves as (`reachy_mini.daemon`, mDNS service). */
const SERVICE = '_reachy-mini._tcp.local'
/** Milliseconds to listen for answers. */
const LISTEN_MS = 1_500
/** More robots than one network has. */
const MOST = 20

interface Answer {
  readonly name: string
  readonly type: string
  readonly data?: unknown
}

/**
 * Addresses of daemons among the records of an answer: `host:port`, each once. Pure.
 * @param records of all packets heard.
 */
export function daemonsAmong(records: readonly Answer[]): string[] {
  const services = new Set(
    records.flatMap(({ name, type, data }) =>
      type === 'PTR' && name.toLowerCase() === SERVICE && typeof data === 'string' ? [data.toLowerCase()] : [],
    ),
  )
  const hosts = new Map(
    records.flatMap(({ name, type, data }) =>
      type === 'A' && typeof data === 'string' ? [[name.toLowerCase(), data] as const] : [],
    ),
  )
  const places = records.flatMap(({ name, type, data }) => {
    if (type !== 'SRV' || !services.has(name.toLowerCase())) return []
    const { target, port } = (data ?? {}) as { target?: unknown; port?: unknown }
    if (typeof target !== 'string' || typeof port !== 'number') return []
    // The name first: an address changes with the network, and plain http is for nearby hosts only.
    return [`${target.endsWith('.local') ? target : (hosts.get(target.toLowerCase()) ?? target)}:${port}`]
  })
  return [...new Set(places)].slice(0, MOST)
}

/** Asks the network once for daemons. Nothing is sent before it is called. */
export async function listenForDaemons(log: Log): Promise<string[]> {
  const { default: multicastDns } = await import('multicast-dns')
  const records: Answer[] = []
  const socket = multicastDns()
  try {
    socket.on('response', ({ answers, additionals }) => records.push(...(answers ?? []), ...(additionals ?? [])))
    await new Promise<void>((resolve) => {
      socket.on('error', (error: unknown) => {
        // Computers without a network card for it, or with the port taken.
        log.debug('robots of the network cannot be asked', { error: String(error) })
        resolve()
      })
      setTimeout(resolve, LISTEN_MS)
      socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] })
    })
  } finally {
    socket.destroy()
  }
  return daemonsAmong(records)
}
