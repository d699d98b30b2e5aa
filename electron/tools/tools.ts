import { CompanionError } from '../contract/index.ts'
import { EMOTION_INTENTS } from '../robot/index.ts'
import { wireNames } from '../spaces/index.ts'

import { checkArguments } from './arguments.ts'
import { createBody } from './body.ts'
import { diagnoseId, diagnoseLines } from './diagnose.ts'
import { offer } from './offer.ts'
import { readProgress } from './progress.ts'
import { buildRegistry, entryOf } from './registry.ts'
import { ownResult, readResult } from './results.ts'
import { createTasks } from './tasks.ts'

import type { JsonObject, Log } from '../contract/index.ts'
import type { Mcp } from '../mcp/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Spaces } from '../spaces/index.ts'
import type { CheckCache } from './arguments.ts'
import type { BodyRobot } from './body.ts'
import type { Registered, Registry } from './registry.ts'
import type { ReadResult } from './results.ts'
import type { Task } from './tasks.ts'
import type { CalledTool, CallRequest, Tools } from './types.ts'

export interface ToolsDeps {
  readonly robot: BodyRobot
  readonly spaces: Pick<Spaces, 'tools' | 'snapshot' | 'endpoint' | 'onChange'>
  readonly mcp: Pick<Mcp, 'call'>
  readonly profiles: Pick<Profiles, 'effective' | 'read' | 'parseTools' | 'onChange'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** 0 … 1, for a dance that nobody chose. */
  readonly random?: () => number
}

/**
 * The registry of all tools and the only way to call one. Nothing is contacted to build it: Space tools come from the
 * manifest. What a profile lists is read again at every call.
 */
export function createTools(deps: ToolsDeps): Tools {
  const { robot, spaces, mcp, profiles, log } = deps
  const now = deps.now ?? Date.now
  const body = createBody(robot, deps.random ?? Math.random)
  const tasks = createTasks(now)
  const checks: CheckCache = new WeakMap()
  const listeners = new Set<(version: number) => void>()
  let version = 1
  let current: Promise<Registry> | undefined
  let leftOutBefore = ''

  const build = async (at: number): Promise<Registry> => {
    const [spaceTools, snapshot] = await Promise.all([spaces.tools(), spaces.snapshot()])
    const dances = robot.moves().filter((move) => move.kind === 'dance')
    return buildRegistry(at, { body: { intents: EMOTION_INTENTS, dances }, spaceTools, spaces: snapshot }, wireNames)
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
  const unsubscribe = [spaces.onChange(changed), profiles.onChange(changed)]

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

  const call = async (request: CallRequest): Promise<CalledTool> => {
    const tool = await resolveName(request.name)
    if (!tool) throw new CompanionError('tools/unknown', { id: request.name.slice(0, 200) })
    const enabled = new Set(await listed(request.profile))
    if (!tool.system && !enabled.has(tool.id)) {
      throw new CompanionError('tools/not-enabled', { id: tool.id, profile: request.profile })
    }
    if (tool.problem) {
      const named = tool.source === 'space' ? { id: tool.id, slug: tool.origin } : { id: tool.id }
      throw new CompanionError(tool.problem.code, { ...named, ...tool.problem.details })
    }
    const args = await checkArguments({ id: tool.id, parameters: tool.checked }, request.arguments, checks)
    if (request.signal?.aborted) throw new CompanionError('tools/cancelled', { id: tool.id })
    const read = tool.system ? ownResult(runSystem(tool.id, args), 0) : await tracked(tool, args, request)
    return { entry: entryOf(tool, enabled), ...read }
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
    const endpoint = await spaces.endpoint(tool.origin)
    const answer = await mcp.call(endpoint, tool.remoteName ?? tool.id, args, {
      signal,
      onProgress: (raw) => {
        const progress = readProgress(raw)
        task.progress(progress.fraction, progress.message)
        request.onProgress?.(progress)
      },
    })
    if (signal.aborted) throw new CompanionError('tools/cancelled', { id: tool.id })
    return readResult(answer, now() - startedAt)
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
