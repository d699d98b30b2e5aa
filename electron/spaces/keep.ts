import { CompanionError } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import { callTool, endpointIn, entryOf } from './calls.ts'
import { decideOn } from './decision.ts'
import { DEFAULT_FILE_LIMITS, fetchFile } from './file.ts'
import { replaceEntry } from './merge.ts'
import { requireFreeAlias, sameSlug, tokenHeaders } from './operations.ts'
import { moveOf, pinOf, pinsAsWritten, withheld } from './pins.ts'
import { inParallel, refreshSpace } from './refresh.ts'
import { reviewOf } from './review.ts'
import { pinsOf, writeState } from './state.ts'

import type { InstalledSpace, RefreshResult } from '../contract/index.ts'
import type { FileLimits } from './file.ts'
import type { Room } from './room.ts'
import type { Spaces } from './types.ts'

export type Checks = ReadonlyMap<string, NonNullable<InstalledSpace['check']>>

export interface KeepDeps extends Room {
  /** For tests. */
  readonly fileLimits?: Partial<FileLimits> | undefined
}

export interface Keep extends Pick<
  Spaces,
  'refresh' | 'review' | 'decide' | 'consent' | 'endpoint' | 'call' | 'file' | 'cancel' | 'dispose'
> {
  /** Looks at each without waking it; a failure of one is its result. */
  lookAtEach(slugs: readonly string[], signal: AbortSignal): Promise<RefreshResult['spaces']>
  /** An installation looked at a Space just now (milliseconds since 1970); `null`: it is removed. */
  looked(slug: string, at: number | null): void
  /** The last look at each Space since the app started, by slug. */
  checks(): Checks
}

/**
 * What becomes of a Space after its installation: looks at what it offers now, decisions of the person about that, calls of
 * its tools and files of their results.
 */
export function createKeep(room: KeepDeps): Keep {
  const { mcp, profiles, undos } = room
  const checks = new Map<string, NonNullable<InstalledSpace['check']>>()
  const refreshes = new Map<string, AbortController>()

  const tell = async (slug: string, check: NonNullable<InstalledSpace['check']>): Promise<void> => {
    checks.set(slug, check)
    await room.announce()
  }
  const cancelled = (): CompanionError => new CompanionError('app/cancelled')
  const cancel = (operationId: string): void => {
    refreshes.get(operationId)?.abort(cancelled())
    refreshes.delete(operationId)
  }

  const refreshOne = async (
    slug: string,
    wake: boolean,
    signal: AbortSignal,
  ): Promise<RefreshResult['spaces'][number]> => {
    const before = checks.get(slug)
    await tell(slug, { state: 'checking', at: room.now() })
    try {
      const changes = await refreshSpace(room, slug, wake, signal)
      await tell(slug, { state: 'ok', at: room.now() })
      return { slug, ok: true, changes }
    } catch (error) {
      const failure = failureOf(signal.aborted ? cancelled() : error)
      if (failure.code === 'app/internal')
        room.log.error('spaces: a Space could not be looked at', { slug, reason: String(error) })
      // What was stopped says nothing about the Space.
      if (signal.aborted) checks.delete(slug)
      if (signal.aborted && before !== undefined) checks.set(slug, before)
      if (!signal.aborted) checks.set(slug, { state: 'failed', at: room.now(), failure })
      await room.announce()
      return { slug, ok: false, failure }
    }
  }

  const refresh: Spaces['refresh'] = async (operationId, slug) => {
    cancel(operationId)
    const controller = new AbortController()
    refreshes.set(operationId, controller)
    const { signal } = controller
    try {
      const state = await room.state()
      const slugs = slug === null ? state.entries.map((entry) => entry.slug) : [entryOf(state, slug).slug]
      return { spaces: await inParallel(slugs, (one) => refreshOne(one, slug !== null, signal)) }
    } finally {
      if (refreshes.get(operationId) === controller) refreshes.delete(operationId)
    }
  }

  const decide: Spaces['decide'] = async (slug, decision) => {
    const outcome = { moved: '' }
    const { receipt } = await room.change(`decide about ${slug}`, async (tx, before) => {
      const entry = entryOf(before, slug)
      const pins = pinsOf(before, entry.slug) ?? pinsAsWritten(entry)
      const next = decideOn(entry, pins, decision, new Date(room.now()).toISOString())
      const others = before.entries.filter((one) => !sameSlug(one.slug, entry.slug))
      requireFreeAlias(next.entry.slug, others)
      writeState(
        tx,
        room.files,
        before,
        { ...replaceEntry(before, entry.slug, next), settled: () => false },
        room.now(),
      )
      if (next.renamed.size > 0) await profiles.renameEverywhere(tx, next.renamed)
      // Its connection was made to the old place, or without the token that it needs now.
      if (moveOf(entry, pins) !== null) outcome.moved = entry.slug
    })
    if (outcome.moved !== '') await mcp.drop(outcome.moved)
    profiles.touched()
    const { approve, keepOff } = decision
    const note = (change: 'approved' | 'kept-off', toolIds: readonly string[]): void => {
      if (toolIds.length > 0) room.audit.append({ kind: 'pins', origin: slug, change, toolIds })
    }
    note('approved', approve)
    note('kept-off', keepOff)
    return { undoId: undos.add(receipt, slug), snapshot: await room.announce() }
  }

  const consent: Spaces['consent'] = async (id) => {
    await room.change(`consent to ${id}`, async (tx, before) => {
      const entry = before.entries.find(({ tools }) => tools.some((tool) => tool.id === id))
      const tool = entry?.tools.find((one) => one.id === id)
      if (entry === undefined || tool === undefined) throw new CompanionError('tools/unknown', { id })
      const pins = pinsOf(before, entry.slug) ?? pinsAsWritten(entry)
      const pin = pinOf(pins, tool.remoteName)
      if (pin === undefined || withheld(tool, entry, pins) !== undefined)
        throw new CompanionError('space/changed', { id, slug: entry.slug })
      if (pin.consented === true) return
      const { added: _, seenAt: __, ...rest } = pin
      const tools = { ...pins.tools, [tool.remoteName]: { ...rest, consented: true } }
      const next = replaceEntry(before, entry.slug, { entry, pins: { ...pins, tools } })
      writeState(tx, room.files, before, { ...next, settled: () => false }, room.now())
    })
    await room.announce()
  }

  return {
    looked(slug, at) {
      if (at === null) checks.delete(slug)
      else checks.set(slug, { state: 'ok', at })
    },
    checks: () => checks,
    lookAtEach: (slugs, signal) => inParallel(slugs, (one) => refreshOne(one, false, signal)),
    refresh,
    cancel,
    async review(slug) {
      const state = await room.state()
      const entry = entryOf(state, slug)
      const rest = state.entries.filter((one) => one !== entry)
      const pins = pinsOf(state, entry.slug)
      const own = new Set([...entry.tools, ...(pins?.gone ?? [])].map(({ id }) => id))
      return reviewOf(entry, pins, {
        others: rest.flatMap(({ tools }) => tools.flatMap(({ id, remoteName }) => [id, remoteName])),
        uses: await profiles.usesOf((id) => own.has(id)),
      })
    },
    decide,
    consent,
    async endpoint(slug) {
      const state = await room.state()
      return endpointIn(state, entryOf(state, slug), room)
    },
    call: (call) => callTool(room, call),
    async file(slug, url, signal) {
      const state = await room.state()
      const entry = entryOf(state, slug)
      // The same refusals as for a call: a file comes from where the person approved.
      endpointIn(state, entry, room)
      const headers = await tokenHeaders(entry.private ?? false, room.token)
      const limits = { ...DEFAULT_FILE_LIMITS, ...room.fileLimits }
      return fetchFile(entry, url, { fetch: room.fetch, headers, limits }, signal)
    },
    dispose() {
      for (const id of [...refreshes.keys()]) cancel(id)
    },
  }
}
