import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'
import { failureOf } from '../../failure.ts'
import { createUndo } from '../undo.ts'

import { blankPins, consentedPins, decidedPins, isAsKnown, offeredTools, requireOffered } from './decisions.ts'
import { endpointOf, timeoutsOf } from './endpoint.ts'
import { serverFailure } from './failures.ts'
import { entriesOf, targetHash } from './file.ts'
import { findServer, requireWritable } from './find.ts'
import { createImport } from './import.ts'
import { applyListing, judge, NOBODY } from './listing.ts'
import { sameName } from './names.ts'
import { installedServer, snapshotOf } from './snapshot.ts'
import { entryOf, pinsOf, problemOf, readState, writeState } from './state.ts'
import { createTokens } from './token.ts'

import type { InstalledServer, Log, Secrets, ServerResult, ServersSnapshot } from '../../contract/index.ts'
import type { Mcp, McpListing } from '../../mcp/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { ProfileLines } from '../types.ts'
import type { ServerEntry } from './file.ts'
import type { Found } from './find.ts'
import type { Acceptance, JudgedTool } from './listing.ts'
import type { ServerPins } from './pins.ts'
import type { Beside } from './snapshot.ts'
import type { ServerFiles, ServersState } from './state.ts'
import type { Servers } from './types.ts'

export interface ServersDeps {
  readonly storage: Storage
  readonly mcp: Mcp
  readonly profiles: ProfileLines
  readonly secrets: Secrets
  /** Environment of this app, of which programs get little and tokens are read by name. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aliases of the installed Spaces: no server may bear one. */
  readonly aliases: () => Promise<string[]>
  readonly log: Log
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
}

interface Operation {
  readonly controller: AbortController
  readonly name: string
  found: Found | null
}

/** Previews that wait for an answer; older ones are given up. */
const MAX_OPERATIONS = 20

/**
 * MCP servers that are no Spaces: finds, previews, installs, refreshes, removes and calls them.
 *
 * Files in the data directory: `mcp_servers.json` (see {@link readServersFile}), and beside it `mcp_server_pins.json`,
 * which is ours alone. Nothing is contacted and no program is started before a person asks, or a tool is called.
 */
export function createServers(deps: ServersDeps): Servers {
  const { storage, mcp, profiles, log } = deps
  const now = deps.now ?? Date.now
  const files: ServerFiles = {
    servers: storage.path('mcp_servers.json'),
    pins: storage.path('mcp_server_pins.json'),
  }
  const tokens = createTokens(deps.secrets, now)
  const endpointDeps = { env: deps.env, tokens }
  const undos = createUndo({ storage, now, file: 'mcp_servers.json' })
  const imports = createImport()
  const operations = new Map<string, Operation>()
  const listeners = new Set<(snapshot: ServersSnapshot) => void>()
  const checks = new Map<string, NonNullable<InstalledServer['check']>>()
  let version = 1
  let announced = 0
  let lastSeen: string | null = null

  const date = (): string => new Date(now()).toISOString()
  const state = (): Promise<ServersState> => readState((file) => storage.read(file), files)

  const besideOf = async (read: ServersState): Promise<Beside> => {
    const entries = entriesOf(read.items)
    const names = entries.map(({ name }) => name)
    const held = await Promise.all(
      entries.map(async ({ name, target }) =>
        target.kind === 'http' && (await tokens.has(name, target.url)) ? [name] : [],
      ),
    )
    const withToken = new Set(held.flat())
    const ids = new Set(entriesOf(read.items).flatMap(({ tools }) => tools.map(({ id }) => id)))
    const uses = await profiles.usesOf((id) => ids.has(id) || names.some((name) => id.startsWith(`${name}__`)))
    return {
      path: files.servers,
      version,
      aliases: await deps.aliases(),
      hasToken: (name) => withToken.has(name),
      check: (name) => checks.get(name),
      enabledIn: (id) => Object.entries(uses).flatMap(([profile, lines]) => (lines.includes(id) ? [profile] : [])),
    }
  }
  const snapshot = async (): Promise<ServersSnapshot> => {
    const read = await state()
    const shown = snapshotOf(read, await besideOf(read))
    const seen = JSON.stringify([{ ...shown, version: 0 }, read.pins])
    if (lastSeen !== null && lastSeen !== seen) version += 1
    lastSeen = seen
    return { ...shown, version }
  }
  /** Tells the listeners, unless they have heard of this version already. */
  const announce = async (): Promise<ServersSnapshot> => {
    const current = await snapshot()
    if (announced !== current.version) {
      announced = current.version
      for (const listener of listeners) listener(current)
    }
    return current
  }
  const unwatch = storage.watch(files.servers, () => {
    announce().catch((error: unknown) => {
      log.error('servers: the list changed and cannot be read', { reason: String(error) })
    })
  })

  /** Reads, changes and writes under one lock; pins that are broken are set aside first. */
  const change = (label: string, body: (tx: Transaction, before: ServersState) => Promise<void>) =>
    storage.transact(label, async (tx) => {
      const before = await readState((file) => tx.read(file), files)
      requireWritable(before)
      if (before.pinsBroken) {
        const aside = await storage.setAside(files.pins)
        log.error(`${path.basename(files.pins)} could not be read and was kept as ${path.basename(aside)}`, {
          path: aside,
        })
      }
      await body(tx, before)
    })

  const requireEntry = (read: ServersState, name: string): ServerEntry => {
    const entry = entryOf(read, name)
    if (entry === undefined) throw new CompanionError('server/not-installed', { name: name.slice(0, 100) })
    return entry
  }
  /** @throws CompanionError why the server is not to be contacted. */
  const requireUsable = async (entry: ServerEntry, read: ServersState): Promise<void> => {
    const problem = problemOf(entry, read, await deps.aliases())
    if (problem !== undefined) throw new CompanionError(problem.code, problem.details ?? {})
  }
  const endpoint = (entry: ServerEntry) =>
    endpointOf({ name: entry.name, target: entry.target, ...timeoutsOf(entry) }, endpointDeps)

  const end = (operationId: string): void => {
    const operation = operations.get(operationId)
    operations.delete(operationId)
    operation?.controller.abort(new CompanionError('app/cancelled'))
    if (operation?.found === undefined || operation.found === null) return
    const { name } = operation
    mcp.drop(name).catch((error: unknown) => log.warn('servers: not closed', { name, reason: String(error) }))
  }
  const begin = (operationId: string, name: string): Operation => {
    for (const [id, one] of operations) if (id === operationId || sameName(one.name, name)) end(id)
    const [oldest] = operations.keys()
    if (operations.size >= MAX_OPERATIONS && oldest !== undefined) end(oldest)
    const operation: Operation = { controller: new AbortController(), name, found: null }
    operations.set(operationId, operation)
    return operation
  }

  const preview: Servers['preview'] = async (operationId, draft, token, options = {}) => {
    const operation = begin(operationId, draft.name)
    const { signal } = operation.controller
    const given = token ?? (options.importedToken === true ? imports.tokenOf(draft) : undefined)
    try {
      const findDeps = { ...endpointDeps, mcp, aliases: deps.aliases }
      const found = await findServer(operationId, draft, given, await state(), findDeps, signal)
      signal.throwIfAborted()
      operation.found = found
      return found.preview
    } catch (error) {
      if (operations.get(operationId) === operation) operations.delete(operationId)
      throw signal.aborted ? signal.reason : error
    }
  }

  /** The state with a listing in it. */
  const applied = (
    before: ServersState,
    entry: ServerEntry,
    listing: Pick<Found, 'judged' | 'serverName'>,
    accept: Acceptance,
  ): { entry: ServerEntry; pins: ServerPins; changes: ServerResult['changes'] } => {
    const known = {
      entry: { ...entry, tools: entryOf(before, entry.name)?.tools ?? [] },
      pins: pinsOf(before, entry.name),
    }
    const { tools, pins, changes } = applyListing(
      known,
      { ...listing, target: targetHash(entry.target) },
      accept,
      date(),
    )
    return { entry: { ...entry, tools }, pins, changes }
  }

  const install: Servers['install'] = async (operationId, toolIds, names, options = {}) => {
    const operation = operations.get(operationId)
    const found = operation?.found
    if (operation === undefined || found === undefined || found === null) {
      throw new CompanionError('app/cancelled', { operationId })
    }
    const usable = new Set(found.judged.flatMap(({ tool }) => (tool === null ? [] : [tool.id])))
    const unknown = toolIds.find((id) => !usable.has(id))
    if (unknown !== undefined) throw new CompanionError('tools/unknown', { id: unknown })
    const { name, target } = found.entry
    const accept = { added: true, changed: options.acceptChanges ?? true, consented: new Set(toolIds) }
    const earlier = found.token === undefined ? null : await tokens.take(name)
    const outcome: { result: Omit<ServerResult, 'undoId' | 'server'> | null; next: ServerEntry } = {
      result: null,
      next: found.entry,
    }
    let receipt
    try {
      if (found.token !== undefined && target.kind === 'http') await tokens.set(name, target.url, found.token)
      ;({ receipt } = await change(`install server ${name}`, async (tx, before) => {
        refuseOtherPlace(before, found.entry)
        const next = applied(before, found.entry, found, accept)
        writeState(tx, files, before, { name, ...next })
        const enabledIn: Record<string, string[]> = {}
        if (toolIds.length > 0) {
          for (const profile of names) enabledIn[profile] = (await profiles.enableIn(tx, profile, toolIds)).added
        }
        outcome.next = next.entry
        outcome.result = { enabledIn, refreshed: entryOf(before, name) !== undefined, changes: next.changes }
      }))
    } catch (error) {
      if (found.token !== undefined) await tokens.take(name)
      if (earlier !== null) await tokens.putBack(name, earlier)
      throw error
    }
    operations.delete(operationId)
    checks.delete(name)
    const undoId = undos.add(receipt)
    profiles.touched()
    await announce()
    if (outcome.result === null) throw new CompanionError('app/internal')
    const read = await state()
    const server = installedServer(entryOf(read, name) ?? outcome.next, read, await besideOf(read))
    return { ...outcome.result, server, undoId }
  }

  /** Writes what a server lists now, unless nothing differs; what differs is withheld until a person has looked. */
  const take = async (name: string, listing: McpListing): Promise<ServersState> => {
    const judgedIn = (known: ServersState, entry: ServerEntry): JudgedTool[] =>
      judge({ entry, pins: pinsOf(known, entry.name) }, listing.tools)
    const read = await state()
    const entry = requireEntry(read, name)
    if (isAsKnown(judgedIn(read, entry), entry, pinsOf(read, name))) return read
    await change(`look at server ${name}`, async (tx, before) => {
      const at = requireEntry(before, name)
      const found = { judged: judgedIn(before, at), serverName: listing.serverName }
      writeState(tx, files, before, { name: at.name, ...applied(before, at, found, NOBODY) })
    })
    return state()
  }

  const refresh: Servers['refresh'] = async (operationId, name) => {
    const read = await state()
    requireWritable(read)
    const entry = requireEntry(read, name)
    await requireUsable(entry, read)
    const operation = begin(operationId, entry.name)
    checks.set(entry.name, { state: 'checking', at: now() })
    await announce()
    try {
      const listing = await mcp.list(endpoint(entry), { signal: operation.controller.signal })
      await take(entry.name, listing)
      checks.set(entry.name, { state: 'ok', at: now() })
    } catch (error) {
      const failure = serverFailure(error, entry.name)
      if (!(failure instanceof CompanionError)) log.error('servers: not checked', { reason: String(error) })
      checks.set(entry.name, { state: 'failed', at: now(), failure: failureOf(failure) })
    } finally {
      if (operations.get(operationId) === operation) operations.delete(operationId)
    }
    profiles.touched()
    return announce()
  }

  /** Changes the pins of one server. */
  const repin = async (name: string, label: string, next: (entry: ServerEntry, pins: ServerPins) => ServerPins) => {
    await change(label, async (tx, before) => {
      const entry = requireEntry(before, name)
      const pins = pinsOf(before, entry.name) ?? blankPins(entry, date())
      writeState(tx, files, before, { name: entry.name, entry, pins: next(entry, pins) })
    })
    return announce()
  }

  const decide: Servers['decide'] = (name, decision) =>
    repin(name, `decide server ${name}`, (entry, pins) => decidedPins(entry, pins, decision, date()))

  const consent: Servers['consent'] = async (id) => {
    const entry = entriesOf((await state()).items).find(({ tools }) => tools.some((tool) => tool.id === id))
    if (entry === undefined) throw new CompanionError('tools/unknown', { id })
    await repin(entry.name, `allow ${id}`, (at, pins) => consentedPins(at, pins, id))
  }

  const remove: Servers['remove'] = async (name) => {
    const outcome: { removed: string; disabled: Record<string, string[]> } = { removed: '', disabled: {} }
    const { receipt } = await change(`remove server ${name}`, async (tx, before) => {
      const bad = before.items
        .flatMap((item) => ('bad' in item ? [item.bad.label] : []))
        .find((one) => sameName(one, name))
      const entry = entryOf(before, name)
      const found = entry?.name ?? bad
      if (found === undefined) throw new CompanionError('server/not-installed', { name: name.slice(0, 100) })
      outcome.removed = found
      writeState(tx, files, before, { name: found, entry: null, pins: null })
      const own = new Set(entry?.tools.map(({ id }) => id))
      const aliases = await deps.aliases()
      const isSpace = aliases.some((alias) => sameName(alias, found))
      outcome.disabled = await profiles.disableEverywhere(
        tx,
        (id) => own.has(id) || (!isSpace && id.startsWith(`${found}__`)),
      )
    })
    for (const [id, one] of operations) if (sameName(one.name, outcome.removed)) end(id)
    const undoId = undos.add(receipt)
    await tokens.remove(outcome.removed, undoId)
    checks.delete(outcome.removed)
    await mcp.drop(outcome.removed)
    profiles.touched()
    await announce()
    return { ...outcome, undoId }
  }

  const undo: Servers['undo'] = async (undoId) => {
    const before = entriesOf((await state()).items).map(({ name }) => name)
    await undos.run(undoId)
    await tokens.undoRemoval(undoId)
    const after = await state()
    for (const name of before) {
      if (entryOf(after, name) !== undefined) continue
      checks.delete(name)
      await tokens.take(name)
      await mcp.drop(name)
    }
    profiles.touched()
    return announce()
  }

  const call: Servers['call'] = async (request) => {
    const read = await state()
    const entry = requireEntry(read, request.server)
    await requireUsable(entry, read)
    requireOffered(read, entry.name, request.remoteName)
    try {
      return await mcp.call(endpoint(entry), request.remoteName, request.arguments, {
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
        verify: async (listing) => {
          const looked = await take(entry.name, listing)
          await announce()
          requireOffered(looked, entry.name, request.remoteName)
        },
      })
    } catch (error) {
      throw serverFailure(error, entry.name)
    }
  }

  return {
    snapshot,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    preview,
    install,
    cancel: (operationId) => end(operationId),
    refresh,
    decide,
    consent,
    remove,
    undo,
    readImport: (text) => imports.read(text),
    tools: async () => offeredTools(await state(), await deps.aliases()),
    call,
    dispose() {
      unwatch()
      for (const id of [...operations.keys()]) end(id)
      listeners.clear()
      tokens.forget()
      imports.forget()
    },
  }
}

/** The file may have got a server of this name since the preview. @throws CompanionError `server/exists`. */
function refuseOtherPlace(before: ServersState, entry: ServerEntry): void {
  const there = entryOf(before, entry.name)
  if (there === undefined) return
  const place = (one: ServerEntry): string => (one.target.kind === 'http' ? one.target.url : targetHash(one.target))
  if (place(there) === place(entry)) return
  throw new CompanionError('server/exists', { name: entry.name, reason: 'the server of this name is somewhere else' })
}
