import path from 'node:path'

import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { createBrowse } from './browse.ts'
import { createKeep } from './keep.ts'
import { createManifestCare } from './manifest-care.ts'
import { idsOf, merge, offeredTools } from './merge.ts'
import { enableEach, findSpace, requireFreeAlias, requireWritable, sameSlug } from './operations.ts'
import { createPlace } from './place.ts'
import { createSteps } from './progress.ts'
import { parseSpaceRef } from './ref.ts'
import { problemId } from './repairs.ts'
import { repairOf } from './restore.ts'
import { installedSpace, readState, snapshotOf, writeState } from './state.ts'
import { createUndo } from './undo.ts'
import { createUpgrade } from './upgrade.ts'
import { createWakeTimes } from './wake-times.ts'
import { DEFAULT_WAKE_LIMITS } from './wake.ts'

import type { InstallProgress, InstallResult, JsonValue, Log, SpacesSnapshot, Unsubscribe } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Mcp } from '../mcp/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { FileLimits } from './file.ts'
import type { Found } from './operations.ts'
import type { Lookup } from './picture.ts'
import type { InstanceChoice } from './place.ts'
import type { Steps } from './progress.ts'
import type { SpacesState } from './state.ts'
import type { ProfileLines, Spaces } from './types.ts'
import type { UpstreamSearch } from './upstream-places.ts'
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
  /** Which manifest is in force; absent: always our own. */
  readonly instance?: InstanceChoice
  /** Work that nobody asked for and nobody waits for may be done; off where only one command is run. */
  readonly background?: boolean
  /** Where the robot's own app may keep its list; absent: only where a person says. */
  readonly upstream?: UpstreamSearch
  /** Addresses of a host; for tests. */
  readonly lookup?: Lookup
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
  /** For tests. */
  readonly fileLimits?: Partial<FileLimits>
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

/** For the lock and the files; milliseconds. */
const ENABLE_MS = 10_000

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
  const wakeTimes = createWakeTimes({ storage, log })
  const choice: InstanceChoice = deps.instance ?? { chosen: async () => null, choose: async () => undefined }
  const place = createPlace({ storage, choice })
  const { files } = place
  const operations = new Map<string, Operation>()
  const changeListeners = new Set<(snapshot: SpacesSnapshot) => void>()
  const progressListeners = new Set<(progress: InstallProgress) => void>()
  const undos = createUndo({ storage, now })
  let version = 1
  let announced = 0
  let lastSeen: string | null = null
  let followed: string | null = null
  let unwatch: Unsubscribe = () => undefined

  const hubIsLoopback = (): boolean => {
    try {
      return hub.isLoopback()
    } catch (error) {
      // An unusable HF_ENDPOINT is no loopback Hub; whoever needs the Hub says so.
      if (error instanceof CompanionError) return false
      throw error
    }
  }
  const stateIn = async (tx: Pick<Transaction, 'read'>): Promise<SpacesState> => {
    await place.ready()
    follow()
    return place.judge(await readState((path) => tx.read(path), files, hubIsLoopback()))
  }
  const state = async (): Promise<SpacesState> => {
    const read = await stateIn(storage)
    const { seeded, readOnly, entries, bad, pins, quarantine } = read
    const checks = [...keep.checks()]
    const seen = JSON.stringify([files.manifest, seeded, readOnly, entries, bad, pins, quarantine, checks])
    if (lastSeen !== null && lastSeen !== seen) version += 1
    lastSeen = seen
    return read
  }
  const snapshot = async (): Promise<SpacesSnapshot> => {
    const read = await state()
    return snapshotOf(read, files.manifest, version, {
      hubEndpoint: endpointOrNothing(),
      repair: await repairOf(read, files, (file) => storage.read(file)),
      instance: place.instance() ?? undefined,
      checks: keep.checks(),
    })
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
  /** Watches the manifest in force. */
  const follow = (): void => {
    if (followed === files.manifest) return
    followed = files.manifest
    unwatch()
    unwatch = storage.watch(files.manifest, () => {
      announce().catch((error: unknown) => {
        log.error('spaces: the manifest changed and cannot be read', { reason: String(error) })
      })
    })
  }
  follow()

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
    const previewDeps = { hub, mcp, fetch: deps.fetch, token: deps.token, wakeLimits, wakeTimes, now, state }
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
    steps.start('enable', { limitMs: ENABLE_MS })
    const outcome: { result: Omit<InstallResult, 'undoId'> | null } = { result: null }
    try {
      const { receipt } = await change(`install ${found.info.slug}`, async (tx, before) => {
        requireFreeAlias(found.info.slug, before.entries)
        const consented = new Set(toolIds)
        const next = merge(found, before, { acceptChanges: options.acceptChanges ?? false, consented, now: now() })
        const settled = (entry: { label: string; raw: JsonValue }): boolean =>
          sameSlug(entry.label, found.info.slug) || problemId(entry) === operation.replaces
        writeState(tx, files, before, { ...next, settled }, now())
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
      const { slug } = outcome.result.space
      storage.audit.append({ kind: 'pins', origin: slug, change: 'installed', toolIds: [...toolIds] })
      keep.looked(slug, now())
      const undoId = undos.add(receipt, slug)
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

  /** Our profiles name these tools for our own list, whatever is done to another one meanwhile. */
  const idsOfOwnList = async (tx: Transaction): Promise<Set<string>> => {
    const own = await readState((file) => tx.read(file), place.own, hubIsLoopback())
    return new Set(own.entries.flatMap(({ tools }) => tools.map(({ id }) => id)))
  }

  const remove: Spaces['remove'] = async (ref) => {
    const outcome: { removed: string; disabled: Record<string, string[]> } = { removed: '', disabled: {} }
    const toolIds: string[] = []
    const { receipt } = await change(`remove ${ref.trim()}`, async (tx, before) => {
      const slug = slugIn(before, ref)
      outcome.removed = slug
      const entries = before.entries.filter((entry) => !sameSlug(entry.slug, slug))
      toolIds.push(
        ...before.entries.filter((one) => !entries.includes(one)).flatMap(({ tools }) => tools.map(({ id }) => id)),
      )
      const { [slug]: _, ...spaces } = before.pins.spaces
      writeState(
        tx,
        files,
        before,
        { entries, pins: { version: 1, spaces }, settled: ({ label }) => sameSlug(label, slug) },
        now(),
      )
      const matches = idsOf(slug, before)
      const kept = choice.forOneRun === true ? await idsOfOwnList(tx) : new Set()
      outcome.disabled = await profiles.disableEverywhere(tx, (id) => matches(id) && !kept.has(id))
    })
    for (const [id, { found }] of operations) if (found !== null && sameSlug(found.info.slug, outcome.removed)) end(id)
    const { removed } = outcome
    storage.audit.append({ kind: 'pins', origin: removed, change: 'removed', toolIds })
    keep.looked(removed, null)
    const undoId = undos.add(receipt, removed)
    await mcp.drop(removed)
    profiles.touched()
    await announce()
    return { ...outcome, undoId }
  }

  const care = createManifestCare({
    storage,
    place,
    choice,
    search: deps.upstream,
    undos,
    now,
    hubIsLoopback,
    state,
    stateIn,
    change,
    announce,
    switched() {
      undos.forget()
      for (const id of [...operations.keys()]) end(id)
      profiles.touched()
    },
  })

  const browse = createBrowse({
    storage,
    hub,
    mcp,
    fetch: deps.fetch,
    token: deps.token,
    log,
    now,
    state,
    call: (request) => face.call(request),
    found: (previewId) => operations.get(previewId)?.found ?? null,
    lookup: deps.lookup,
  })

  const keep = createKeep({
    hub,
    mcp,
    profiles,
    fetch: deps.fetch,
    token: deps.token,
    log,
    now,
    files,
    undos,
    audit: storage.audit,
    wakeLimits,
    wakeTimes,
    hubIsLoopback,
    state,
    change,
    announce,
    fileLimits: deps.fileLimits,
  })

  const upgrade = createUpgrade({ state, lookAtEach: (slugs, signal) => keep.lookAtEach(slugs, signal), log })

  const face: Spaces = {
    snapshot,
    onChange(listener) {
      changeListeners.add(listener)
      return () => changeListeners.delete(listener)
    },
    onProgress(listener) {
      progressListeners.add(listener)
      return () => progressListeners.delete(listener)
    },
    ...browse,
    ...keep,
    search(request, signal) {
      if (deps.background === true) upgrade.start()
      return browse.search(request, signal)
    },
    preview,
    install,
    cancel(operationId) {
      end(operationId)
      browse.cancelLook(operationId)
      keep.cancel(operationId)
    },
    resolve: async (ref) => slugIn(await state(), ref),
    remove,
    async undo(undoId) {
      const origin = await undos.run(undoId)
      if (origin !== undefined) storage.audit.append({ kind: 'pins', origin, change: 'restored', toolIds: [] })
      profiles.touched()
      return announce()
    },
    async tools() {
      const read = await state()
      return read.entries.flatMap((entry) => offeredTools(entry, read))
    },
    ...care,
    dispose() {
      unwatch()
      upgrade.dispose()
      keep.dispose()
      browse.disposeLook()
      for (const id of [...operations.keys()]) end(id)
      changeListeners.clear()
      progressListeners.clear()
    },
  }
  return face
}
