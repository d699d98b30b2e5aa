import { untilAborted } from './deadline.ts'

import type { McpListing } from './types.ts'

/** What a caller's `verify` threw, on its way out unchanged. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(override readonly cause: unknown) {
    super('refused by the caller')
  }
}

/** What one connection has shown of its tools, and for which of them a caller was content with it. */
export interface Verification {
  /** The connection's one listing, read when it is first asked for; later callers get the same. */
  listing(signal: AbortSignal): Promise<McpListing>
  /**
   * Hands the listing to `verify` before the first call of each tool. A tool is verified once it returned.
   * @throws Refusal with what `verify` threw; what reading the list throws; the reason of `signal`.
   */
  before(remoteName: string, verify: (listing: McpListing) => Promise<void>, signal: AbortSignal): Promise<void>
}

/** @param read lists; it is aborted when nobody waits for the list any more */
export function createVerification(read: (signal: AbortSignal) => Promise<McpListing>): Verification {
  const verified = new Set<string>()
  let waiting = 0
  let reading: { listing: Promise<McpListing>; controller: AbortController } | null = null

  const start = (): NonNullable<typeof reading> => {
    const controller = new AbortController()
    const started = { listing: read(controller.signal), controller }
    // A failed listing is asked for again by the next caller; those who wait for it see the failure themselves.
    started.listing.catch(() => {
      if (reading === started) reading = null
    })
    return started
  }
  const listing = async (signal: AbortSignal): Promise<McpListing> => {
    signal.throwIfAborted()
    const shared = (reading ??= start())
    waiting += 1
    try {
      return await untilAborted(shared.listing, signal)
    } finally {
      waiting -= 1
      if (signal.aborted && waiting === 0) {
        shared.controller.abort(signal.reason)
        if (reading === shared) reading = null
      }
    }
  }

  return {
    listing,
    async before(remoteName, verify, signal) {
      if (verified.has(remoteName)) return
      const found = await listing(signal)
      await untilAborted(judge(found, verify), signal)
      verified.add(remoteName)
    },
  }
}

async function judge(listing: McpListing, verify: (listing: McpListing) => Promise<void>): Promise<void> {
  try {
    await verify(listing)
  } catch (error) {
    throw new Refusal(error)
  }
}
