import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { startModule } from '../electron/cli/tool-process.ts'
import { createCompanion } from '../electron/companion.ts'
import { CompanionError } from '../electron/contract/index.ts'

import { startModel } from './servers/model.ts'
import { modelEnv, startWorld } from './world.ts'

import type { Companion } from '../electron/companion.ts'
import type { ChatMessage, Log, Secrets } from '../electron/contract/index.ts'
import type { ModelScript, StandInModel } from './servers/model.ts'
import type { SpaceTool, StandInSpace } from './servers/space.ts'
import type { World } from './world.ts'

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const noSecrets: Secrets = {
  get: async () => null,
  state: async () => 'absent',
  set: async () => {
    throw new CompanionError('secrets/unavailable')
  },
  clear: async () => undefined,
  protection: 'none',
}

export interface HouseOptions {
  /** Lines of the profile's tools.txt. */
  readonly tools: readonly string[]
  /** Script of a model that is the one in force; absent: none is set. */
  readonly model?: ModelScript
  /** Writes into the data directory before anything is opened. */
  readonly prepare?: (dataDir: string) => Promise<void>
  /** On top of the addresses of the stand-ins. */
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Log
}

/** All rooms without a window: real files in a folder of their own, real servers on loopback, the simulator running. */
export interface House {
  readonly companion: Companion
  readonly dataDir: string
  readonly world: World
  /** Refuses what the strictest providers refuse. */
  readonly model: StandInModel
  /** Starts a Space, installs it and enables its usable tools. */
  readonly install: (slug: string, tools: SpaceTool[]) => Promise<StandInSpace>
  /** Installs a Space that the world's Hub lists already. */
  readonly installListed: (slug: string) => Promise<void>
  /** Replaces the lines of the profile's tools.txt. */
  readonly enable: (lines: readonly string[]) => Promise<void>
  /** Sends a message and waits for the end of its answer. */
  readonly say: (sentence: string, provider?: 'set' | 'offline') => Promise<ChatMessage>
  readonly close: () => Promise<void>
}

export async function startHouse(options: HouseOptions): Promise<House> {
  const dir = await mkdtemp(path.join(tmpdir(), 'house-'))
  const world = await startWorld()
  const model = await startModel(options.model ?? [], { strict: true })
  const shipped = path.join(dir, 'shipped')
  await mkdir(path.join(shipped, 'default'), { recursive: true })
  await writeFile(path.join(shipped, 'default/tools.txt'), options.tools.map((line) => `${line}\n`).join(''))
  await writeFile(path.join(shipped, 'default/instructions.txt'), 'Be a kind robot.\n')
  const dataDir = path.join(dir, 'data')
  await mkdir(dataDir, { recursive: true })
  await options.prepare?.(dataDir)
  const companion = await createCompanion({
    dataDir,
    version: '0.0.0',
    resourcesDir: path.resolve(import.meta.dirname, '../resources'),
    toolHostsDir: path.resolve(import.meta.dirname, '../resources/tool-hosts'),
    shippedProfilesDir: shipped,
    fetch,
    secrets: noSecrets,
    log: options.log ?? quiet,
    env: { ...world.env, ...(options.model === undefined ? {} : modelEnv(model)), ...options.env },
    systemLanguage: 'en',
    startModule,
    wakeAtStart: true,
  })
  await companion.robot.start()

  const installListed = async (slug: string): Promise<void> => {
    const preview = await companion.spaces.preview(slug, slug)
    const usable = preview.tools
      .filter(({ status }) => status === 'usable')
      .flatMap(({ id }) => (id === null ? [] : [id]))
    await companion.spaces.install(slug, usable, ['default'])
  }
  return {
    companion,
    dataDir,
    world,
    model,
    installListed,
    async install(slug, tools) {
      const space = await world.space(slug, { tools })
      await installListed(slug)
      return space
    },
    async enable(lines) {
      const { texts: base } = await companion.profiles.read('default')
      const texts = { ...base, 'tools.txt': lines.map((line) => `${line}\n`).join('') }
      await companion.profiles.save({ name: 'default', base, texts })
    },
    say: async (sentence, provider = 'set') => (await companion.chat.send(sentence, provider)).finished,
    async close() {
      // With torque off there is no going to sleep to wait for.
      await companion.robot.emergencyStop()
      await companion.dispose()
      await model.close()
      await world.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
