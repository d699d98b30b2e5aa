import { createBody } from './body.ts'
import { diagnoseLines } from './diagnose.ts'
import { createGate, recordedOrigin } from './gate.ts'
import { createLibrary } from './library.ts'
import { listOf, viewed } from './list.ts'
import { mentions } from './mentions.ts'
import { offer } from './offer.ts'
import { recordedArguments, recordedFailure } from './recorded.ts'
import { resolveName } from './registry.ts'
import { createRunner } from './run.ts'
import { createTasks } from './tasks.ts'
import { createTokenCounter } from './tokens.ts'
import { createTryOnce } from './try-once.ts'
import { weigh } from './weights.ts'

import type { Log } from '../contract/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Servers, Spaces } from '../spaces/index.ts'
import type { AuditEntry, Storage } from '../storage/index.ts'
import type { BodyRobot } from './body.ts'
import type { LocalTools } from './local/index.ts'
import type { Offer } from './offer.ts'
import type { Callable, Registered } from './registered.ts'
import type { Registry } from './registry.ts'
import type { CalledTool, CallRequest, Tools } from './types.ts'

export interface ToolsDeps {
  readonly robot: BodyRobot
  readonly spaces: Pick<Spaces, 'tools' | 'snapshot' | 'onChange' | 'call' | 'file' | 'consent' | 'tryTool'>
  readonly servers: Pick<Servers, 'tools' | 'snapshot' | 'onChange' | 'call' | 'consent'>
  readonly local: Pick<LocalTools, 'list' | 'onChange' | 'call'>
  readonly profiles: Pick<Profiles, 'effective' | 'read' | 'parseTools' | 'onChange'>
  readonly storage: Pick<Storage, 'audit'>
  /** Value of `AUTOLOAD_EXTERNAL_TOOLS`. */
  readonly autoload?: string | undefined
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** 0 … 1, for a dance that nobody chose. */
  readonly random?: () => number
}

/**
 * The registry of all tools and the only way to call one. Nothing is contacted and nothing of a file is run to build it:
 * tools of Spaces and servers come from their files. What a profile lists is read again at every call.
 */
export function createTools(deps: ToolsDeps): Tools {
  const { profiles, log } = deps
  const { audit } = deps.storage
  const now = deps.now ?? Date.now
  const body = createBody(deps.robot, deps.random ?? Math.random)
  const tasks = createTasks(now)
  const library = createLibrary(deps)
  const gate = createGate({ ...deps, library })
  const runner = createRunner({ ...deps, body, tasks, now })
  const counter = createTokenCounter()
  const weights = new WeakMap<Registry, Promise<Record<string, number>>>()
  let leftOutBefore = ''

  const offered = async (profile: string): Promise<Offer> => {
    const { registry, listed, refused } = await library.view(profile)
    const made = offer(registry, listed, refused)
    const names = made.leftOut.map(({ id }) => id).join(', ')
    if (names !== leftOutBefore) {
      leftOutBefore = names
      if (names) log.warn('tools left out of what is offered to the model', { profile, tools: names })
    }
    return made
  }

  const record = (
    called: Callable | undefined,
    request: CallRequest,
    startedAt: number,
    end: Pick<AuditEntry & { kind: 'call' }, 'outcome' | 'code'>,
  ): void => {
    if (!called || called.tool.system) return
    const { id: toolId, source } = called.tool
    const durationMs = Math.round(now() - startedAt)
    const given = recordedArguments(request.arguments)
    audit.append({ kind: 'call', toolId, source, origin: recordedOrigin(called), arguments: given, ...end, durationMs })
  }

  const call = async (request: CallRequest): Promise<CalledTool> => {
    const startedAt = now()
    const known = resolveName(await library.registry(request.profile), request.name)
    try {
      const { called, args, view } = await gate.admit(request)
      const read = await runner.run(called, args, request)
      record(known, request, startedAt, { outcome: read.result.isError ? 'failed' : 'done' })
      return { entry: viewed(called.tool, view), ...read }
    } catch (error) {
      record(known, request, startedAt, recordedFailure(error))
      throw error
    }
  }

  const weightsOf = (registry: Registry): Promise<Record<string, number>> => {
    const before = weights.get(registry)
    if (before) return before
    const counting = weigh(registry, counter)
    weights.set(registry, counting)
    // The caller gets the failure; the next one tries again.
    counting.catch(() => weights.delete(registry))
    return counting
  }

  return {
    async list(profile) {
      const [view, document] = await Promise.all([library.view(profile), profiles.read(profile)])
      const lines = profiles.parseTools(document.texts['tools.txt'] ?? document.inheritedToolsText)
      return { version: library.version(), profile, ...listOf(view, lines) }
    },
    onChange: (listener) => library.onChange(listener),
    forModel: async (profile) => [...(await offered(profile)).tools],
    leftOut: async (profile) => [...(await offered(profile)).leftOut],
    async find(name, profile) {
      const view = await library.view(profile)
      const called = resolveName(view.registry, name)
      return called && viewed(called.tool, view)
    },
    call,
    tryOnce: createTryOnce({ ...deps, runner, now }),
    motionsEnded: () => body.ended(),
    async diagnose(toolsText, profile) {
      return diagnoseLines(profiles.parseTools(toolsText), await library.registry(profile))
    },
    async weights(profile) {
      const version = library.version()
      return { version, tokens: await weightsOf(await library.registry(profile)) }
    },
    async unmentioned(profile, ids, prompt) {
      const { byId, wireNames } = await library.registry(profile)
      return ids.filter((id) => {
        const tool = byId.get(id)
        if (tool === undefined || tool.source === 'built-in' || tool.problem) return false
        return !mentions(prompt, namesOf(tool, wireNames.get(id)))
      })
    },
    countTokens: (text) => counter.count(text),
    dispose() {
      library.dispose()
      tasks.cancelAll()
    },
  }
}

/** Names by which a prompt may speak of a tool. */
function namesOf(tool: Registered, wireName: string | undefined): string[] {
  const inside = (tool.members ?? []).map(({ name }) => name)
  return [tool.shortName, ...(wireName === undefined ? [] : [wireName]), ...inside]
}
