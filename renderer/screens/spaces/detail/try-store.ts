import { create } from 'zustand'

import { attempt } from '../../../app/bridge.ts'

import type { Failure, JsonObject, RouteResponse } from '../../../../electron/contract/index.ts'
import type { FieldValue } from './schema-form.ts'

export type TryOutcome =
  | { readonly kind: 'answered'; readonly answer: RouteResponse<'spaces.try'> }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** One tool as a form: what was typed, what runs, what came back last. */
export interface ToolTry {
  readonly values: Readonly<Record<string, FieldValue>>
  readonly running: { readonly operationId: string; readonly since: number } | null
  readonly outcome: TryOutcome | null
}

export interface TryCall {
  readonly slug: string
  readonly previewId: string | undefined
  readonly remoteName: string
  readonly arguments: JsonObject
}

interface TriesState {
  /** By {@link tryKey}; kept until the app quits. */
  tries: Readonly<Record<string, ToolTry>>
  type: (key: string, name: string, value: FieldValue) => void
  run: (key: string, call: TryCall) => Promise<void>
  stop: (key: string) => void
  stopAll: () => void
}

export const UNTRIED: ToolTry = { values: {}, running: null, outcome: null }

/** Names a tool of a Space among the tries. */
export const tryKey = (slug: string, remoteName: string): string => `${slug.toLowerCase()} ${remoteName}`

/** Tools that a person tries, with the values of the last time. */
export const useTries = create<TriesState>((set, get) => {
  const held = (key: string): ToolTry => get().tries[key] ?? UNTRIED
  const patch = (key: string, change: Partial<ToolTry>): void =>
    set(({ tries }) => ({ tries: { ...tries, [key]: { ...held(key), ...change } } }))

  return {
    tries: {},
    type: (key, name, value) => patch(key, { values: { ...held(key).values, [name]: value } }),
    run: async (key, { slug, previewId, remoteName, arguments: args }) => {
      if (held(key).running) return
      const operationId = crypto.randomUUID()
      patch(key, { running: { operationId, since: Date.now() }, outcome: null })
      const answer = await attempt('spaces.try', {
        operationId,
        slug,
        ...(previewId === undefined ? {} : { previewId }),
        remoteName,
        arguments: args,
      })
      if (held(key).running?.operationId !== operationId) return
      patch(key, {
        running: null,
        outcome: answer.ok ? { kind: 'answered', answer: answer.value } : { kind: 'failed', failure: answer.error },
      })
    },
    stop: (key) => {
      const { running } = held(key)
      if (running) void attempt('spaces.cancel', { operationId: running.operationId })
    },
    stopAll: () => {
      for (const key of Object.keys(get().tries)) get().stop(key)
    },
  }
})
