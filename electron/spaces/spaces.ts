import path from 'node:path'

import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { createCatalogue } from './catalogue.ts'
import { idsOf, merge, offeredTools } from './merge.ts'
import { enableEach, endpointOf, findSpace, requireFreeAlias, requireWritable, sameSlug } from './operations.ts'
import { isMcpUrl } from './origin.ts'
import { createSteps } from './progress.ts'
import { parseSpaceRef } from './ref.ts'
import { installedSpace, readState, snapshotOf, writeState } from './state.ts'
import { createUndo } from './undo.ts'
import { DEFAULT_WAKE_LIMITS } from './wake.ts'

import type { InstallProgress, InstallResult, Log, SpacesSnapshot } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Mcp } from '../mcp/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Found } from './operations.ts'
import type { Steps } from './progress.ts'
import type { SpacesState, StateFiles } from './state.ts'
import type { ProfileLines, Spaces } from './types.ts'
import type { WakeLimits } from './wake.ts'

export interface SpacesDeps {
  readonly storage: Storage
  readonly hub: Hub
  readonly mcp: Mcp
  readonly profiles: ProfileLines
  readonly fetch: typeof globalThis.fetch
  /** The Hub token, or `null`; sent to private Spaces only. */
  readonly token: () => Promise<string | null>
  readonly log: Log
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
  /** For tests. */
  readonly wakeLimits?: Partial<WakeLimits>
}

interface Operation {
  readonly controller: AbortController
  readonly steps: Steps
  /** The problem that this installation settles, see `SpacesSnapshot.problems`. */
  readonly replaces: string | undefined
  found: Found | null
}

/** Previews that wait for an answer; older ones are given up. */
const MAX_OPERATIONS = 20

/**
 * Tool Spaces: finds, previews, installs, refreshes and removes them, and knows what is installed.
 *
 * Files in the data directory: `installed_tool_spaces.json` in the format of the robot's own app, and beside it
 * `tool_space_pins.json` and `tool_spaces_quarantine.json`, which are ours alone.
 */
export function createSpaces(deps: SpacesDeps): Spaces {
  const { storage, hub, mcp, profiles, log } = deps
  const now = deps.now ?? Date.now
  const wakeLimits = { ...DEFAULT_WAKE_LIMITS, ...deps.wakeLimits }
  const files: StateFiles = {
    manifest: storage.path('installed_tool_spaces.json'),
    pins: storage.path('tool_space_pins.json'),
    quarantine: storage.path('tool_spaces_quarantine.json'),
  }
  const operations = new Map<string, Operation>()
  const changeListeners = new Set<(snapshot: SpacesSnapshot) => void>()
  const progressListeners = new Set<(progress: InstallProgress) => void>()
  const catalogue = createCatalogue({ hub, storage, log, now })
  const undos = createUndo({ storage, now })
  let version = 1
  let announced = 0
  let lastSeen: string | null = null

  const hubIsLoopback = (): boolean => {
    try {
      return hub.isLoopback()
    } catch (error) {
      // An unusable HF_ENDPOINT is no loopback Hub; whoever needs the Hub says so.
      if (error instanceof CompanionError) return false
      throw error
    }
  }
  const stateIn = (tx: Transaction): Promise<SpacesState> => readState((path) => tx.read(path), files, hubIsLoopback())
  const state = async (): Promise<SpacesState> => {
    const read = await readState((path) => storage.read(path), files, hubIsLoopback())
    const seen = JSON.stringify([read.seeded, read.readOnly, read.entries, read.bad, read.pins, read.quarantine])
    if (lastSeen !== null && lastSeen !== seen) version += 1
    lastSeen = seen
    return read
  }
  const snapshot = async (): Promise<SpacesSnapshot> => {
    const read = await state()
    return snapshotOf(read, files.manifest, version)
  }
  /** Tells the listeners, unless they have heard of this version already. */
  const announce = async (): Promise<SpacesSnapshot> => {
    const current = await snapshot()
    if (announced !== current.version) {
      announced = current.version
      for (const listener of changeListeners) listener(current)
    }
    return current
  }
  const unwatch = storage.watch(files.manifest, () => {
    announce().catch((error: unknown) => {
      log.error('spaces: the manifest changed and cannot be read', { reason: String(error) })
    })
  })

  /** Reads, changes and writes under one lock; files of our own that are broken are set aside first. */
  const change = (
    label: string,
    body: (tx: Transaction, before: SpacesState) => Promise<void>,
  ): ReturnType<typeof storage.transact> =>
    storage.transact(label, async (tx) => {
      const before = await stateIn(tx)
      requireWritable(before)
      for (const broken of before.broken) {
        const aside = await storage.setAside(broken)
        log.error(`${path.basename(broken)} could not be read and was kept as ${path.basename(aside)}`, { path: aside })
      }
      await body(tx, before)
    })

  const end = (operationId: string): void => {
    const operation = operations.get(operationId)
    operations.delete(operationId)
    operation?.controller.abort(new CompanionError('app/cancelled'))
    const slug = operation?.found?.info.slug
    if (slug === undefined) return
    // Nobody may come back to it: its connection is not kept for the idle time.
    mcp.drop(slug).catch((error: unknown) => log.warn('spaces: connection not closed', { slug, reason: String(error) }))
  }
  const begin = (operationId: string, ref: string, replaces?: string): Operation => {
    end(operationId)
    const [oldest] = operations.keys()
    if (operations.size >= MAX_OPERATIONS && oldest !== undefined) end(oldest)
    const tell = (progress: InstallProgress): void => {
      for (const listener of progressListeners) listener(progress)
    }
    const steps = createSteps(operationId, plainText(ref.trim(), 200), tell, now)
    const operation: Operation = { controller: new AbortController(), steps, replaces, found: null }
    operations.set(operationId, operation)
    return operation
  }

  const preview: Spaces['preview'] = async (operationId, ref, options = {}) => {
    const operation = begin(operationId, ref, options.replaces)
    const { controller, steps } = operation
    const previewDeps = { hub, mcp, fetch: deps.fetch, token: deps.token, wakeLimits, now, state }
    try {
      const found = await findSpace(operationId, ref, steps, previewDeps, controller.signal)
      controller.signal.throwIfAborted()
      operation.found = found
      return found.preview
    } catch (error) {
      const failure = controller.signal.aborted ? (controller.signal.reason as CompanionError) : error
      steps.fail(failure instanceof CompanionError ? failure.code : 'app/internal')
      if (operations.get(operationId) === operation) operations.delete(operationId)
      throw failure
    }
  }

  const install: Spaces['install'] = async (operationId, toolIds, profileNames, options = {}) => {
    const operation = operations.get(operationId)
    const found = operation?.found
    if (operation === undefined || found === undefined || found === null)
      throw new CompanionError('app/cancelled', { operationId })
    const usable = found.tools.flatMap(({ manifest }) => (manifest === null ? [] : [manifest]))
    const unknown = toolIds.find((id) => !usable.some((tool) => tool.id === id))
    if (unknown !== undefined) throw new CompanionError('tools/unknown', { id: unknown })

    const { steps } = operation
    steps.start('enable')
    const outcome: { result: Omit<InstallResult, 'undoId'> | null } = { result: null }
    try {
      const { receipt } = await change(`install ${found.info.slug}`, async (tx, before) => {
        requireFreeAlias(found.info.slug, before.entries)
        const next = merge(found, before, { acceptChanges: options.acceptChanges ?? false, now: now() })
        writeState(tx, files, before, { ...next, settled: ({ label }) => sameSlug(label, found.info.slug) }, now())
        const enabledIn = await enableEach(tx, profiles, profileNames, toolIds)
        const profile = profileNames[0] ?? null
        outcome.result = {
          space: installedSpace(next.entry, next.pins.spaces[found.info.slug]),
          enabled: { profile, added: profile === null ? [] : (enabledIn[profile] ?? []) },
          enabledIn,
          refreshed: next.refreshed,
          changes: next.changes,
          manifest: files.manifest,
        }
      })
      if (outcome.result === null) throw new CompanionError('app/internal')
      operations.delete(operationId)
      steps.done(String(outcome.result.enabled.added.length))
      const undoId = undos.add(receipt)
      profiles.touched()
      await announce()
      return { ...outcome.result, undoId }
    } catch (error) {
      steps.fail(error instanceof CompanionError ? error.code : 'app/internal')
      throw error
    }
  }

  /** Slug of what is installed under a name, for removal also of what cannot be read. */
  const slugIn = (read: SpacesState, ref: string): string => {
    const parsed = parseSpaceRef(ref, endpointOrNothing())
    const labels = [...read.bad, ...read.quarantine.entries].map(({ label }) => label)
    const slugs = [...read.entries.map(({ slug }) => slug), ...labels]
    const found =
      parsed.kind === 'slug'
        ? slugs.find((slug) => sameSlug(slug, parsed.slug))
        : read.entries.find(({ mcpUrl }) => mcpUrl.startsWith(`https://${parsed.label}.hf.space/`))?.slug
    if (found === undefined)
      throw new CompanionError('space/not-installed', { slug: parsed.kind === 'slug' ? parsed.slug : parsed.label })
    return found
  }
  const endpointOrNothing = (): string | undefined => {
    try {
      return hub.endpoint()
    } catch (error) {
      if (error instanceof CompanionError) return undefined
      throw error
    }
  }

  const remove: Spaces['remove'] = async (ref) => {
    const outcome: { removed: string; disabled: Record<string, string[]> } = { removed: '', disabled: {} }
    const { receipt } = await change(`remove ${ref.trim()}`, async (tx, before) => {
      const slug = slugIn(before, ref)
      outcome.removed = slug
      const entries = before.entries.filter((entry) => !sameSlug(entry.slug, slug))
      const { [slug]: _, ...spaces } = before.pins.spaces
      writeState(
        tx,
        files,
        before,
        { entries, pins: { version: 1, spaces }, settled: ({ label }) => sameSlug(label, slug) },
        now(),
      )
      outcome.disabled = await profiles.disableEverywhere(tx, idsOf(slug, before))
    })
    for (const [id, { found }] of operations) if (found !== null && sameSlug(found.info.slug, outcome.removed)) end(id)
    const undoId = undos.add(receipt)
    await mcp.drop(outcome.removed)
    profiles.touched()
    await announce()
    return { ...outcome, undoId }
  }

  return {
    snapshot,
    onChange(listener) {
      changeListeners.add(listener)
      return () => changeListeners.delete(listener)
    },
    onProgress(listener) {
      progressListeners.add(listener)
      return () => progressListeners.delete(listener)
    },
    search(request, signal) {
      const installed = async (): Promise<Set<string>> =>
        new Set((await state()).entries.map(({ slug }) => slug.toLowerCase()))
      return catalogue.search(request, installed, signal)
    },
    preview,
    install,
    cancel: (operationId) => end(operationId),
    resolve: async (ref) => slugIn(await state(), ref),
    remove,
    async undo(undoId) {
      await undos.run(undoId)
      profiles.touched()
      return announce()
    },
    async tools() {
      const read = await state()
      return read.entries.flatMap((entry) => offeredTools(entry, read))
    },
    async endpoint(slug) {
      const entry = (await state()).entries.find((one) => sameSlug(one.slug, slug))
      if (entry === undefined) throw new CompanionError('space/not-installed', { slug })
      if (!isMcpUrl(entry.mcpUrl, hubIsLoopback())) throw new CompanionError('space/bad-origin', { slug: entry.slug })
      return endpointOf({ slug: entry.slug, mcpUrl: entry.mcpUrl, private: entry.private ?? false }, deps.token)
    },
    dispose() {
      unwatch()
      catalogue.dispose()
      for (const id of [...operations.keys()]) end(id)
      changeListeners.clear()
      progressListeners.clear()
    },
  }
}
