import { z } from 'zod'

import type { Log } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'

/** How long Spaces took to wake. */
export interface WakeTimes {
  /** Milliseconds to expect: what the last wakes of this Space took, else what its hardware takes. */
  expected(slug: string, hardware: string | undefined): Promise<number>
  /** Remembers a wake. A cache that cannot be written is no failure of the wake. */
  took(slug: string, ms: number): Promise<void>
}

const fileSchema = z.object({ version: z.literal(1), wakes: z.record(z.string(), z.array(z.number())) })

const KEPT_PER_SPACE = 5
const KEPT_SPACES = 200
/** A free Space is back within half a minute as a rule; one with its own GPU loads images and models for minutes. */
const CPU_MS = 30_000
const ZERO_GPU_MS = 60_000
const GPU_MS = 180_000

/** @param hardware the Hub's word, such as `cpu-basic`, `zero-a10g`, `t4-small` */
export function expectedByHardware(hardware: string | undefined): number {
  if (hardware === undefined || hardware.startsWith('cpu')) return CPU_MS
  return hardware.startsWith('zero') ? ZERO_GPU_MS : GPU_MS
}

/** The middle of the last wakes: one slow morning is no rule. */
export function expectedByWakes(wakes: readonly number[]): number | undefined {
  const sorted = [...wakes].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

export function createWakeTimes(deps: { storage: Storage; log: Log }): WakeTimes {
  const { storage, log } = deps
  const file = storage.path('cache', 'space-wakes.json')
  const read = async (): Promise<Record<string, number[]>> => {
    const found = await storage.readJson(file, fileSchema)
    return found.state === 'ok' ? found.value.wakes : {}
  }
  return {
    async expected(slug, hardware) {
      const wakes = await read()
      return expectedByWakes(Object.hasOwn(wakes, slug) ? (wakes[slug] ?? []) : []) ?? expectedByHardware(hardware)
    },
    async took(slug, ms) {
      try {
        const { [slug]: known = [], ...others } = await read()
        const kept = Object.entries(others).slice(1 - KEPT_SPACES)
        const wakes = Object.fromEntries([...kept, [slug, [...known, Math.round(ms)].slice(-KEPT_PER_SPACE)]])
        await storage.transact('remember a wake', async (tx) => tx.write(file, JSON.stringify({ version: 1, wakes })))
      } catch (error) {
        log.warn('spaces: how long a Space took to wake was not kept', { slug, reason: String(error) })
      }
    },
  }
}
