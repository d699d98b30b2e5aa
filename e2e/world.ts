import { startEverything } from './servers/everything.ts'
import { startHub } from './servers/hub.ts'
import { startModel } from './servers/model.ts'
import { startProxy } from './servers/proxy.ts'
import { startSpace } from './servers/space.ts'

import type { JsonObject } from '../electron/contract/index.ts'
import type { SpaceRecord, StandInHub } from './servers/hub.ts'
import type { ModelScript, StandInModel } from './servers/model.ts'
import type { SpaceOptions, StandInSpace } from './servers/space.ts'

/** A small internet on loopback for one test: a Hub, Spaces behind it, a model. */
export interface World {
  readonly hub: StandInHub
  /** Environment that points the app at it. */
  readonly env: Record<string, string>
  /** Starts a Space and lists it in the Hub. */
  space(id: string, options?: SpaceOptions, record?: Partial<SpaceRecord>): Promise<StandInSpace>
  /** Lists a foreign MCP server in the Hub, under the address of a Space. */
  everything(id: string): Promise<void>
  model(script: ModelScript, options?: { key?: string }): Promise<StandInModel>
  close(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const closers: (() => Promise<void>)[] = []
  const keep = <T extends { close(): Promise<void> }>(thing: T): T => {
    closers.unshift(() => thing.close())
    return thing
  }
  const hub = keep(await startHub({ spaces: [] }))
  const list = (id: string, host: string, record: Partial<SpaceRecord> = {}): void => {
    hub.spaces.push({ id, host, tags: ['mcp-server', 'reachy-mini-tool', 'gradio'], likes: 10, ...record })
  }
  return {
    hub,
    env: { HF_ENDPOINT: hub.url },
    async space(id, options = {}, record = {}) {
      const space = keep(await startSpace({ id, ...options }))
      list(id, space.url, record)
      return space
    },
    async everything(id) {
      const server = keep(await startEverything())
      const proxy = keep(await startProxy(server.url, { id }))
      list(id, proxy.url, { title: 'Everything' })
    },
    model: async (script, options = {}) => keep(await startModel(script, options)),
    async close() {
      for (const close of closers) await close()
    },
  }
}

/** Environment that makes a stand-in model the one in force. */
export function modelEnv(model: StandInModel): Record<string, string> {
  return { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'test-key', REACHY_MINI_COMPANION_MODEL: 'stand-in' }
}

/** A schema of string parameters, all needed. */
export function strings(...names: string[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  }
}
