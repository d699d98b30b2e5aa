import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'

import type { SecretName, Secrets } from '../../contract/index.ts'

/** A token is stored with the address it was given for, so that no other address ever gets it. */
const storedSchema = z.object({ url: z.string(), token: z.string() })

const secretOf = (name: string): SecretName => `server:${name}`

/**
 * What can stand in a header, without a `Bearer` in front that came along.
 * @throws CompanionError `server/bad-token`; never with the token in it.
 */
export function cleanToken(name: string, text: string): string {
  const token = text.trim().replace(/^Bearer\s+/i, '')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CompanionError('server/bad-token', { name })
  return token
}

/** Tokens of servers in the system's store. */
export interface ServerTokens {
  get(name: string, url: string): Promise<string | null>
  has(name: string, url: string): Promise<boolean>
  /** @throws CompanionError `secrets/unavailable` where the host keeps none. */
  set(name: string, url: string, token: string): Promise<void>
  /** The stored value, to be given back by {@link putBack}. */
  take(name: string): Promise<string | null>
  putBack(name: string, stored: string): Promise<void>
  /** Out of the store; in memory for as long as the removal can be taken back. */
  remove(name: string, undoId: string): Promise<void>
  undoRemoval(undoId: string): Promise<void>
  forget(): void
}

const TEN_MINUTES = 10 * 60_000

/** @param now milliseconds since 1970 */
export function createTokens(secrets: Secrets, now: () => number): ServerTokens {
  const removed = new Map<string, { name: string; stored: string; until: number }>()
  const read = (stored: string | null): z.output<typeof storedSchema> | null => {
    if (stored === null) return null
    try {
      return storedSchema.safeParse(JSON.parse(stored)).data ?? null
    } catch (error) {
      if (error instanceof SyntaxError) return null
      throw error
    }
  }
  const get = async (name: string, url: string): Promise<string | null> => {
    const stored = read(await secrets.get(secretOf(name)))
    return stored?.url === url ? stored.token : null
  }
  const take = async (name: string): Promise<string | null> => {
    const state = await secrets.state(secretOf(name))
    if (state === 'absent' || state === 'environment') return null
    const stored = await secrets.get(secretOf(name))
    await secrets.clear(secretOf(name))
    return stored
  }
  return {
    get,
    has: async (name, url) => (await get(name, url)) !== null,
    take,
    async set(name, url, token) {
      await secrets.set(secretOf(name), JSON.stringify({ url, token }))
    },
    async putBack(name, stored) {
      await secrets.set(secretOf(name), stored)
    },
    async remove(name, undoId) {
      for (const [id, { until }] of removed) if (until <= now()) removed.delete(id)
      const stored = await take(name)
      if (stored !== null) removed.set(undoId, { name, stored, until: now() + TEN_MINUTES })
    },
    async undoRemoval(undoId) {
      const token = removed.get(undoId)
      removed.delete(undoId)
      if (token !== undefined && token.until > now()) await secrets.set(secretOf(token.name), token.stored)
    },
    forget: () => removed.clear(),
  }
}
