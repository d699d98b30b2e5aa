import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { CompanionError } from '../electron/contract/index.ts'
import { createHub } from '../electron/hub/index.ts'
import { createMcp } from '../electron/mcp/index.ts'
import { createProfiles } from '../electron/profiles/index.ts'
import { createSpaces } from '../electron/spaces/spaces.ts'
import { createStorage } from '../electron/storage/index.ts'

import { startHub } from './servers/hub.ts'
import { startSpace, text } from './servers/space.ts'

import type {
  Details,
  InstalledSpace,
  InstallProgress,
  JsonObject,
  Log,
  SpacesSnapshot,
} from '../electron/contract/index.ts'
import type { Mcp } from '../electron/mcp/index.ts'
import type { Spaces } from '../electron/spaces/types.ts'
import type { SpaceRecord, StandInHub } from './servers/hub.ts'
import type { SpaceOptions, SpaceTool, StandInSpace } from './servers/space.ts'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

export interface SpacesHouse {
  readonly dir: string
  readonly hub: StandInHub
  readonly mcp: Mcp
  readonly spaces: Spaces
  readonly progress: InstallProgress[]
  readonly snapshots: SpacesSnapshot[]
  /** Starts a Space and lists it on the Hub. */
  space(record: Partial<SpaceRecord> & { id: string }, options?: SpaceOptions): Promise<StandInSpace>
  /** The same, and installs all its usable tools. */
  installed(slug: string, tools: SpaceTool[], record?: Partial<SpaceRecord>): Promise<StandInSpace>
  shown(slug: string): Promise<InstalledSpace | undefined>
  /** IDs of the tools that a model is offered of one Space. */
  offered(slug: string): Promise<string[]>
  json(file: string): Promise<JsonObject>
  write(file: string, text: string): Promise<void>
  /** What shows whether a file was written. */
  stamp(file: string): Promise<{ mtimeMs: number; ino: number } | null>
  tick(ms: number): void
  /** Changes of pins in the audit log, oldest first. */
  pinsLog(): Promise<string[]>
  close(): Promise<void>
}

/** The room with the real storage, Hub client and connector, against stand-ins on loopback. */
export async function openSpacesHouse(options: { token?: string } = {}): Promise<SpacesHouse> {
  const dir = await mkdtemp(path.join(tmpdir(), 'keep-'))
  const standIn = await startHub()
  const servers: StandInSpace[] = []
  let offset = 0
  const token = async (): Promise<string | null> => options.token ?? null
  const storage = await createStorage({ dataDir: dir, log: silent })
  const fetch = globalThis.fetch
  const hub = createHub({ endpoint: standIn.url, fetch, token, version: '0.0.0', log: silent })
  const limits = { connectMs: 2_000, pageMs: 1_000, idleStreamMs: 1_000, callMs: 2_000 }
  const mcp = createMcp({ fetch, version: '0.0.0', log: silent, limits })
  const choice = { get: async () => null, set: async () => undefined }
  const shippedDir = path.resolve(import.meta.dirname, '../profiles')
  const profiles = createProfiles({ storage, shippedDir, choice, log: silent })
  const spaces = createSpaces({
    storage,
    hub,
    mcp,
    profiles,
    fetch,
    token,
    log: silent,
    now: () => Date.now() + offset,
    wakeLimits: { pollMs: 20, maxMs: 3_000, unknownMs: 100, configMs: 1_000 },
    fileLimits: { bytes: 1024 * 1024, ms: 1_000 },
  })
  const progress: InstallProgress[] = []
  const snapshots: SpacesSnapshot[] = []
  spaces.onProgress((one) => progress.push(one))
  spaces.onChange((one) => snapshots.push(one))

  const space: SpacesHouse['space'] = async (record, more = {}) => {
    const server = await startSpace(more)
    servers.push(server)
    standIn.spaces.push({ host: server.url, stage: () => server.stage(), ...record })
    return server
  }
  return {
    dir,
    hub: standIn,
    mcp,
    spaces,
    progress,
    snapshots,
    space,
    async installed(slug, tools, record = {}) {
      const server = await space({ ...record, id: slug }, { tools })
      const preview = await spaces.preview(slug, slug)
      const usable = preview.tools.flatMap(({ id, status }) => (id === null || status === 'rejected' ? [] : [id]))
      await spaces.install(slug, usable, ['default'])
      return server
    },
    shown: async (slug) => (await spaces.snapshot()).spaces.find((one) => one.slug === slug),
    offered: async (slug) => (await spaces.tools()).filter((one) => one.slug === slug).map(({ id }) => id),
    json: async (file) => JSON.parse(await readFile(path.join(dir, file), 'utf8')) as JsonObject,
    write: (file, content) => writeFile(path.join(dir, file), content),
    async stamp(file) {
      try {
        const { mtimeMs, ino } = await stat(path.join(dir, file))
        return { mtimeMs, ino }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    tick: (ms) => void (offset += ms),
    async pinsLog() {
      await storage.audit.flush()
      const records = await storage.audit.read()
      return records.flatMap((record) =>
        record.kind === 'pins' ? [`${record.change} ${record.origin} ${record.toolIds.join(' ')}`.trim()] : [],
      )
    },
    async close() {
      spaces.dispose()
      profiles.dispose()
      await mcp.dispose()
      hub.dispose()
      await storage.dispose()
      for (const server of servers) await server.close()
      await standIn.close()
      await rm(dir, { recursive: true })
    },
  }
}

export const tool = (name: string, more: Partial<SpaceTool> = {}): SpaceTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  run: () => text(name),
  ...more,
})

/** Code and details of the CompanionError that `work` fails with. */
export async function failure(work: Promise<unknown>): Promise<{ code: string; details: Details }> {
  try {
    await work
  } catch (error) {
    if (error instanceof CompanionError) return { code: error.code, details: error.details }
    throw error
  }
  throw new Error('it did not fail')
}
