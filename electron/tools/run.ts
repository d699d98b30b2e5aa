import { CompanionError } from '../contract/index.ts'

import { localProgress, localResult } from './local-result.ts'
import { readProgress } from './progress.ts'
import { fromWhom } from './registered.ts'
import { fetchFiles, fileAddresses } from './result-files.ts'
import { ownResult, readResult } from './results.ts'

import type { JsonObject, JsonValue, Log, SpacesSnapshot, ToolFile } from '../contract/index.ts'
import type { McpProgress, McpResult } from '../mcp/index.ts'
import type { Servers, Spaces } from '../spaces/index.ts'
import type { Body } from './body.ts'
import type { LocalTools } from './local/index.ts'
import type { Callable, Registered } from './registered.ts'
import type { ReadResult } from './results.ts'
import type { Task, TaskList } from './tasks.ts'
import type { ToolProgress } from './types.ts'

export interface RunnerDeps {
  readonly body: Body
  readonly tasks: TaskList
  readonly spaces: Pick<Spaces, 'snapshot' | 'call' | 'file'>
  readonly servers: Pick<Servers, 'call'>
  readonly local: Pick<LocalTools, 'call'>
  readonly log: Log
  readonly now: () => number
}

interface Run {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined
}

export interface Runner {
  /**
   * Runs an admitted call; it can be seen and ended by `task_status` and `task_cancel`.
   * @throws CompanionError with the tool's ID: `tools/cancelled`, `tools/timeout`, `tools/crashed`, `space/*`, `robot/*`, ….
   */
  run(called: Callable, args: JsonObject, run: Run): Promise<ReadResult>
  /** What the addresses in a Space's answer lead to on its own origin. */
  filesOf(slug: string, answer: McpResult, signal: AbortSignal): Promise<Map<number, ToolFile> | undefined>
}

export function createRunner({ body, tasks, spaces, servers, local, log, now }: RunnerDeps): Runner {
  const filesOf: Runner['filesOf'] = async (slug, answer, signal) => {
    const origin = originOf(await spaces.snapshot(), slug)
    if (origin === undefined) return undefined
    const addresses = fileAddresses(answer, origin)
    if (addresses.size === 0) return undefined
    return fetchFiles(addresses, (url, until) => spaces.file(slug, url, until), signal, log)
  }

  const builtIn = async (id: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject> =>
    id === 'idle_do_nothing' ? { status: 'idle', reason: args.reason ?? 'idle turn' } : body.run(id, args, signal)

  const remote = async (
    tool: Registered,
    args: JsonObject,
    signal: AbortSignal,
    progress: (told: ToolProgress) => void,
  ): Promise<McpResult> => {
    const sent = {
      remoteName: tool.remoteName ?? tool.id,
      arguments: args,
      signal,
      onProgress: (raw: McpProgress) => progress(readProgress(raw)),
    }
    return tool.source === 'server'
      ? servers.call({ server: tool.origin, ...sent })
      : spaces.call({ slug: tool.origin, ...sent })
  }

  const inFile = (
    { tool, member }: Callable,
    args: JsonObject,
    signal: AbortSignal,
    progress: (told: ToolProgress) => void,
  ): Promise<JsonValue> =>
    local.call({
      path: tool.origin,
      member: member?.name ?? tool.id,
      arguments: args,
      signal,
      onProgress: (told) => progress(localProgress(told)),
    })

  const bySource = async (
    called: Callable,
    args: JsonObject,
    task: Task,
    signal: AbortSignal,
    run: Run,
  ): Promise<ReadResult> => {
    const { tool } = called
    const startedAt = now()
    const progress = (told: ToolProgress): void => {
      task.progress(told.fraction, told.message)
      run.onProgress?.(told)
    }
    const notCancelled = (): void => {
      if (signal.aborted) throw new CompanionError('tools/cancelled', { id: tool.id })
    }
    if (tool.source === 'built-in') return ownResult(await builtIn(tool.id, args, signal), now() - startedAt)
    if (tool.source === 'local') {
      const value = await inFile(called, args, signal, progress)
      notCancelled()
      return localResult(value, now() - startedAt, fromWhom(tool))
    }
    const answer = await remote(tool, args, signal, progress)
    notCancelled()
    const durationMs = now() - startedAt
    const files = tool.source === 'space' ? await filesOf(tool.origin, answer, signal) : undefined
    return readResult(answer, durationMs, { from: tool.origin, ...(files ? { files } : {}) })
  }

  return {
    filesOf,
    async run(called, args, run) {
      const { tool } = called
      if (tool.system) return ownResult(runSystem(tasks, tool.id, args), 0)
      const task = tasks.start(tool.id)
      const signal = run.signal ? AbortSignal.any([run.signal, task.signal]) : task.signal
      try {
        const read = await bySource(called, args, task, signal, run)
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
    },
  }
}

function originOf({ spaces }: SpacesSnapshot, slug: string): string | undefined {
  const url = spaces.find((space) => space.slug === slug)?.mcpUrl
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined
}

function runSystem(tasks: TaskList, id: string, args: JsonObject): JsonObject {
  const toolId = typeof args.tool_id === 'string' ? args.tool_id : ''
  return id === 'task_cancel' ? tasks.cancel(toolId) : tasks.status(toolId || undefined)
}

/** A failure with the tool's ID in its details, as the texts name it. */
function withId(error: unknown, id: string): CompanionError {
  if (error instanceof CompanionError) return new CompanionError(error.code, { id, ...error.details }, { cause: error })
  return new CompanionError('tools/failed', { id }, { cause: error })
}
