import { CompanionError } from '../contract/index.ts'
import { EMOTION_INTENTS } from '../robot/index.ts'
import { wireNames } from '../spaces/index.ts'

import { checkArguments } from './arguments.ts'
import { askPerson, isSameTool } from './ask-person.ts'
import { createBody } from './body.ts'
import { diagnoseId, diagnoseLines } from './diagnose.ts'
import { offer } from './offer.ts'
import { decide } from './permission.ts'
import { readProgress } from './progress.ts'
import { recordedArguments, recordedFailure } from './recorded.ts'
import { buildRegistry, entryOf } from './registry.ts'
import { fetchFiles, fileAddresses } from './result-files.ts'
import { ownResult, readResult, receivedText } from './results.ts'
import { createTasks } from './tasks.ts'

import type { Approval, JsonObject, Log, ToolFile } from '../contract/index.ts'
import type { McpProgress, McpResult } from '../mcp/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Servers, Spaces } from '../spaces/index.ts'
import type { AuditEntry, Storage } from '../storage/index.ts'
import type { CheckCache } from './arguments.ts'
import type { BodyRobot } from './body.ts'
import type { Registered, Registry } from './registry.ts'
import type { ReadResult } from './results.ts'
import type { Task } from './tasks.ts'
import type { CalledTool, CallRequest, Tools } from './types.ts'

export interface ToolsDeps {
  readonly robot: BodyRobot
  readonly spaces: Pick<Spaces, 'tools' | 'snapshot' | 'onChange' | 'call' | 'file' | 'consent' | 'tryTool'>
  readonly servers: Pick<Servers, 'tools' | 'snapshot' | 'onChange' | 'call' | 'consent'>
  readonly profiles: Pick<Profiles, 'effective' | 'read' | 'parseTools' | 'onChange'>
  readonly storage: Pick<Storage, 'audit'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** 0 … 1, for a dance that nobody chose. */
  readonly random?: () => number
}

/**
 * The registry of all tools and the only way to call one. Nothing is contacted to build it: tools of Spaces and
 * servers come from their files. What a profile lists is read again at every call.
 */
export function createTools(deps: ToolsDeps): Tools {
  const { robot, spaces, servers, profiles, log } = deps
  const { audit } = deps.storage
  const now = deps.now ?? Date.now
  const body = createBody(robot, deps.random ?? Math.random)
  const tasks = createTasks(now)
  const checks: CheckCache = new WeakMap()
  const listeners = new Set<(version: number) => void>()
  let version = 1
  let current: Promise<Registry> | undefined
  let leftOutBefore = ''

  const build = async (at: number): Promise<Registry> => {
    const [spaceTools, spacesNow, serverTools, serversNow] = await Promise.all([
      spaces.tools(),
      spaces.snapshot(),
      servers.tools(),
      servers.snapshot(),
    ])
    const dances = robot.moves().filter((move) => move.kind === 'dance')
    const words = { intents: EMOTION_INTENTS, dances }
    return buildRegistry(
      at,
      { body: words, spaceTools, spaces: spacesNow, serverTools, servers: serversNow },
      wireNames,
    )
  }
  const registry = (): Promise<Registry> => {
    if (current) return current
    const building = build(version)
    current = building
    building.catch(() => {
      // The caller gets the failure; the next one tries again.
      if (current === building) current = undefined
    })
    return building
  }
  const changed = (): void => {
    version += 1
    current = undefined
    for (const listener of listeners) listener(version)
  }
  const unsubscribe = [spaces.onChange(changed), servers.onChange(changed), profiles.onChange(changed)]

  const listed = async (profile: string): Promise<readonly string[]> => (await profiles.effective(profile)).toolIds

  const offered = async (profile: string) => {
    const [tools, ids] = await Promise.all([registry(), listed(profile)])
    const made = offer(tools, ids)
    const names = made.leftOut.map(({ id }) => id).join(', ')
    if (names !== leftOutBefore) {
      leftOutBefore = names
      if (names) log.warn('tools left out of what is offered to the model', { profile, tools: names })
    }
    return made
  }

  const resolveName = async (name: string): Promise<Registered | undefined> => {
    const { byId, byWireName } = await registry()
    return byId.get(name) ?? byWireName.get(name)
  }

  /** The tool of a request, if the profile lists it and it can be used now. */
  const callable = async (request: CallRequest): Promise<{ tool: Registered; enabled: ReadonlySet<string> }> => {
    const tool = await resolveName(request.name)
    if (!tool) throw new CompanionError('tools/unknown', { id: request.name.slice(0, 200) })
    const enabled = new Set(await listed(request.profile))
    if (!tool.system && !enabled.has(tool.id)) {
      throw new CompanionError('tools/not-enabled', { id: tool.id, profile: request.profile })
    }
    if (tool.problem) {
      const named = tool.source === 'built-in' ? { id: tool.id } : { id: tool.id, slug: tool.origin }
      throw new CompanionError(tool.problem.code, { ...named, ...tool.problem.details })
    }
    return { tool, enabled }
  }

  /** Runs the call, asking first where a person has to allow it. */
  const attempt = async (request: CallRequest): Promise<CalledTool> => {
    const found = await callable(request)
    const args = await checkArguments({ id: found.tool.id, parameters: found.tool.checked }, request.arguments, checks)
    if (request.signal?.aborted) throw new CompanionError('tools/cancelled', { id: found.tool.id })
    const decision = decide(found.tool, args, request.taint)
    const { tool, enabled } =
      decision.kind === 'ask' ? await permit(found.tool, args, decision.approval, request) : found
    const read = tool.system ? ownResult(runSystem(tool.id, args), 0) : await tracked(tool, args, request)
    return { entry: entryOf(tool, enabled), ...read }
  }

  /**
   * Waits for a person's yes. While they think the profile may change and the Space may offer something else: then the yes
   * was for another thing.
   */
  const permit = async (
    asked: Registered,
    args: JsonObject,
    approval: Approval,
    request: CallRequest,
  ): Promise<{ tool: Registered; enabled: ReadonlySet<string> }> => {
    const answer = await askPerson(asked, approval, request)
    const { id, source, origin } = asked
    const { reason, riskClass } = approval
    audit.append({
      kind: 'decision',
      toolId: id,
      source,
      origin,
      reason,
      riskClass,
      answer,
      arguments: recordedArguments(args),
    })
    if (answer === 'deny') throw new CompanionError('tools/denied', { id })
    const now = await callable(request)
    if (!isSameTool(asked, now.tool)) throw new CompanionError('space/changed', { id, slug: origin })
    if (answer === 'always' && approval.canAlways) await consent(now.tool)
    return now
  }

  const consent = async (tool: Registered): Promise<void> => {
    try {
      await (tool.source === 'server' ? servers.consent(tool.id) : spaces.consent(tool.id))
    } catch (error) {
      // The person said yes to this call in any case; the next one asks again.
      log.error('an approval could not be kept', { tool: tool.id, reason: String(error) })
    }
  }

  const call = async (request: CallRequest): Promise<CalledTool> => {
    const startedAt = now()
    const known = await resolveName(request.name)
    const record = (end: Pick<AuditEntry & { kind: 'call' }, 'outcome' | 'code'>): void => {
      if (!known || known.system) return
      const { id: toolId, source, origin } = known
      const durationMs = Math.round(now() - startedAt)
      audit.append({
        kind: 'call',
        toolId,
        source,
        origin,
        arguments: recordedArguments(request.arguments),
        ...end,
        durationMs,
      })
    }
    try {
      const called = await attempt(request)
      record({ outcome: called.result.isError ? 'failed' : 'done' })
      return called
    } catch (error) {
      record(recordedFailure(error))
      throw error
    }
  }

  const runSystem = (id: string, args: JsonObject): JsonObject => {
    const toolId = typeof args.tool_id === 'string' ? args.tool_id : ''
    return id === 'task_cancel' ? tasks.cancel(toolId) : tasks.status(toolId || undefined)
  }

  const tracked = async (tool: Registered, args: JsonObject, request: CallRequest): Promise<ReadResult> => {
    const task = tasks.start(tool.id)
    const signal = request.signal ? AbortSignal.any([request.signal, task.signal]) : task.signal
    try {
      const read = await run(tool, args, task, signal, request)
      task.finish(read.result.isError ? 'failed' : 'completed', read.textForModel)
      return read
    } catch (error) {
      const cancelled = signal.aborted
      const failure = cancelled
        ? new CompanionError('tools/cancelled', { id: tool.id }, { cause: error })
        : withId(error, tool.id)
      task.finish(cancelled ? 'cancelled' : 'failed', failure.code)
      throw failure
    }
  }

  const run = async (
    tool: Registered,
    args: JsonObject,
    task: Task,
    signal: AbortSignal,
    request: CallRequest,
  ): Promise<ReadResult> => {
    const startedAt = now()
    if (tool.source === 'built-in') {
      const answer =
        tool.id === 'idle_do_nothing'
          ? { status: 'idle', reason: args.reason ?? 'idle turn' }
          : await body.run(tool.id, args, signal)
      return ownResult(answer, now() - startedAt)
    }
    const sent = {
      remoteName: tool.remoteName ?? tool.id,
      arguments: args,
      signal,
      onProgress: (raw: McpProgress) => {
        const progress = readProgress(raw)
        task.progress(progress.fraction, progress.message)
        request.onProgress?.(progress)
      },
    }
    const answer =
      tool.source === 'server'
        ? await servers.call({ server: tool.origin, ...sent })
        : await spaces.call({ slug: tool.origin, ...sent })
    if (signal.aborted) throw new CompanionError('tools/cancelled', { id: tool.id })
    const durationMs = now() - startedAt
    const files = tool.source === 'space' ? await filesOf(tool.origin, answer, signal) : undefined
    return readResult(answer, durationMs, { from: tool.origin, ...(files ? { files } : {}) })
  }

  /** What the addresses in a Space's answer lead to on its own origin. */
  const filesOf = async (
    slug: string,
    answer: McpResult,
    signal: AbortSignal,
  ): Promise<Map<number, ToolFile> | undefined> => {
    const space = (await registry()).spaces.find((one) => one.slug === slug)
    if (!space || !URL.canParse(space.mcpUrl)) return undefined
    const addresses = fileAddresses(answer, new URL(space.mcpUrl).origin)
    if (addresses.size === 0) return undefined
    return fetchFiles(addresses, (url, until) => spaces.file(slug, url, until), signal, log)
  }

  const tryOnce: Tools['tryOnce'] = async (request) => {
    const { slug, remoteName } = request
    const startedAt = now()
    const record = (end: Pick<AuditEntry & { kind: 'try' }, 'outcome' | 'code'>): void => {
      const durationMs = Math.round(now() - startedAt)
      audit.append({
        kind: 'try',
        slug,
        remoteName,
        arguments: recordedArguments(request.arguments),
        ...end,
        durationMs,
      })
    }
    try {
      const installed = request.previewId === undefined ? await spaces.tools() : []
      const known = installed.find((tool) => tool.slug === slug && tool.remoteName === remoteName)
      const args = known ? await checkArguments(known, request.arguments, checks) : request.arguments
      const { answer, received, durationMs } = await spaces.tryTool({ ...request, arguments: args })
      const files = await filesOf(slug, answer, new AbortController().signal)
      const { result } = readResult(answer, durationMs, { from: slug, ...(files ? { files } : {}) })
      record({ outcome: result.isError ? 'failed' : 'done' })
      return { result, received: receivedText(received) }
    } catch (error) {
      record(recordedFailure(error))
      throw error
    }
  }

  return {
    async list(profile) {
      const [{ tools, version: at, byId, ...rest }, ids, document] = await Promise.all([
        registry(),
        listed(profile),
        profiles.read(profile),
      ])
      const enabled = new Set(ids)
      const leftOut = new Map(offer({ tools, version: at, byId, ...rest }, ids).leftOut.map((one) => [one.id, one]))
      const lines = profiles.parseTools(document.toolsText ?? document.inheritedToolsText)
      const unknown = lines
        .filter((line) => !line.duplicate && !byId.has(line.id))
        .map(({ line, id }) => {
          const suggestion = diagnoseId(id, { tools, version: at, byId, ...rest })?.suggestion
          return { line, text: id, ...(suggestion === undefined ? {} : { suggestion }) }
        })
      return {
        version: at,
        profile,
        tools: tools.map((tool) => entryOf({ ...tool, ...leftOut.get(tool.id) }, enabled)),
        unknown,
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forModel: async (profile) => [...(await offered(profile)).tools],
    leftOut: async (profile) => [...(await offered(profile)).leftOut],
    async find(name, profile) {
      const [tool, ids] = await Promise.all([resolveName(name), listed(profile)])
      return tool && entryOf(tool, new Set(ids))
    },
    call,
    tryOnce,
    motionsEnded: () => body.ended(),
    async diagnose(toolsText) {
      return diagnoseLines(profiles.parseTools(toolsText), await registry())
    },
    dispose() {
      for (const end of unsubscribe) end()
      listeners.clear()
      tasks.cancelAll()
    },
  }
}

/** A failure with the tool's ID in its details, as the texts name it. */
function withId(error: unknown, id: string): CompanionError {
  if (error instanceof CompanionError) return new CompanionError(error.code, { id, ...error.details }, { cause: error })
  return new CompanionError('tools/failed', { id }, { cause: error })
}
