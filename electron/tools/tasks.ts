import type { JsonObject } from '../contract/index.ts'

/** How long a finished call is remembered, in milliseconds, and how many are (the conversation app keeps them an hour). */
const RETENTION = 3_600_000
const MAX_FINISHED = 50

export type TaskState = 'running' | 'completed' | 'failed' | 'cancelled'

/** One call of a tool that is running or has just ended. */
export interface Task {
  readonly toolId: string
  readonly name: string
  readonly signal: AbortSignal
  progress(fraction: number | undefined, message: string | undefined): void
  finish(state: Exclude<TaskState, 'running'>, text?: string): void
}

interface Entry {
  readonly toolId: string
  readonly name: string
  readonly startedAt: number
  readonly controller: AbortController
  state: TaskState
  completedAt?: number
  fraction?: number
  message?: string
  text?: string
}

export interface TaskList {
  start(name: string): Task
  /** Answer of `task_status`. */
  status(toolId: string | undefined): JsonObject
  /** Answer of `task_cancel`. */
  cancel(toolId: string): JsonObject
  /** Ends everything that runs. */
  cancelAll(): void
}

/**
 * The calls that run now and the last ones that ended, for `task_status` and `task_cancel`. Answers have the shapes of
 * the robot's conversation app (`background_tool_manager.py`): times in seconds since 1970, progress in per cent.
 */
export function createTasks(now: () => number): TaskList {
  const entries = new Map<string, Entry>()
  let counter = 0

  const finish = (entry: Entry, state: Exclude<TaskState, 'running'>, text?: string): void => {
    if (entry.state !== 'running') return
    entry.state = state
    entry.completedAt = now()
    if (text !== undefined) entry.text = text
  }
  const purge = (): void => {
    const finished = [...entries.values()].filter((entry) => entry.state !== 'running')
    finished.forEach((entry, k) => {
      const tooOld = (entry.completedAt ?? 0) < now() - RETENTION
      if (tooOld || k < finished.length - MAX_FINISHED) entries.delete(entry.toolId)
    })
  }

  return {
    start(name) {
      purge()
      counter += 1
      const startedAt = now()
      const entry: Entry = {
        toolId: `${name}-${counter}-${startedAt}`,
        name,
        startedAt,
        controller: new AbortController(),
        state: 'running',
      }
      entries.set(entry.toolId, entry)
      return {
        toolId: entry.toolId,
        name,
        signal: entry.controller.signal,
        progress(fraction, message) {
          if (fraction !== undefined) entry.fraction = Math.min(1, Math.max(0, fraction))
          if (message !== undefined) entry.message = message
        },
        finish: (state, text) => finish(entry, state, text),
      }
    },
    status(toolId) {
      if (toolId) {
        const entry = entries.get(toolId)
        return entry ? describeOne(entry) : { error: `Tool ${toolId} not found.` }
      }
      const running = [...entries.values()].filter((entry) => entry.state === 'running')
      if (running.length === 0) return { status: 'idle', message: 'No tool is running.' }
      return {
        status: 'running',
        count: running.length,
        message: running.length === 1 ? 'One tool is running.' : `${running.length} tools are running.`,
        tools: running.map((entry) => describeRunning(entry, now())),
      }
    },
    cancel(toolId) {
      if (toolId.trim() === '') return { error: 'Tool ID is required.' }
      const entry = entries.get(toolId)
      if (!entry) return { error: `Tool ${toolId} not found.` }
      const named = { tool_id: entry.toolId, tool_name: entry.name }
      if (entry.state !== 'running') return { status: entry.state, message: 'It had ended already.', ...named }
      finish(entry, 'cancelled')
      entry.controller.abort()
      return { status: 'cancelled', message: `${entry.name} was cancelled.`, ...named }
    },
    cancelAll() {
      for (const entry of entries.values()) {
        if (entry.state !== 'running') continue
        finish(entry, 'cancelled')
        entry.controller.abort()
      }
    },
  }
}

const progressOf = (entry: Entry): JsonObject => ({
  ...(entry.fraction === undefined ? {} : { progress_percent: Math.round(entry.fraction * 100) }),
  ...(entry.message === undefined ? {} : { progress_message: entry.message }),
})

function describeOne(entry: Entry): JsonObject {
  return {
    tool_id: entry.toolId,
    name: entry.name,
    status: entry.state,
    started_at: entry.startedAt / 1_000,
    ...(entry.completedAt === undefined ? {} : { completed_at: entry.completedAt / 1_000 }),
    ...progressOf(entry),
    ...(entry.text === undefined ? {} : { [entry.state === 'failed' ? 'error' : 'result']: entry.text }),
  }
}

function describeRunning(entry: Entry, at: number): JsonObject {
  return {
    tool_id: entry.toolId,
    name: entry.name,
    status: entry.state,
    elapsed_seconds: Math.round((at - entry.startedAt) / 100) / 10,
    ...progressOf(entry),
  }
}
