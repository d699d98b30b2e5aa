import { homedir } from 'node:os'
import path from 'node:path'

import { createChat } from './chat/index.ts'
import { createHub } from './hub/index.ts'
import { createMcp } from './mcp/index.ts'
import { createExchange, createProfiles } from './profiles/index.ts'
import { createRobot } from './robot/index.ts'
import { createServers, createSpaces } from './spaces/index.ts'
import { createSettings, createStorage } from './storage/index.ts'
import { createLocalTools, createTools } from './tools/index.ts'

import type { Chat, ProviderConfig } from './chat/index.ts'
import type { Log, Secrets } from './contract/index.ts'
import type { Hub } from './hub/index.ts'
import type { Exchange, Profiles } from './profiles/index.ts'
import type { Robot, RobotMemory } from './robot/index.ts'
import type { InstanceChoice, Servers, Spaces } from './spaces/index.ts'
import type { SettingsStore, Storage } from './storage/index.ts'
import type { LocalTools, StartModule, Tools } from './tools/index.ts'

/** Everything of the outside world that the companion touches; the desktop and the command line fill it in. */
export interface CompanionHost {
  readonly dataDir: string
  readonly version: string
  /** Folder with `moves/`. */
  readonly resourcesDir: string
  /** Folder with the programs that local tools run in. */
  readonly toolHostsDir: string
  readonly shippedProfilesDir: string
  readonly fetch: typeof globalThis.fetch
  readonly secrets: Secrets
  readonly log: Log
  readonly env: Readonly<Record<string, string | undefined>>
  /** BCP 47 tag of the system. */
  readonly systemLanguage: string
  /** Folder of the user, and the current one; of the process when left out. Lists of a robot app are looked for there. */
  readonly home?: string
  readonly cwd?: string
  /** Path of a robot app's list of Spaces that this run works on instead of the one in force. */
  readonly instance?: string
  /** Starts a module in a process of its own; without it local tools in JavaScript are not available. */
  readonly startModule?: StartModule
  /** The body wakes when the robot is opened. Off where only one command is run: it moves when it is told to. */
  readonly wakeAtStart: boolean
}

/** All rooms, wired once. The window reaches them through `shell/handlers.ts`, the command line through `cli/`. */
export interface Companion {
  readonly host: CompanionHost
  readonly storage: Storage
  readonly settings: SettingsStore
  readonly hub: Hub
  readonly spaces: Spaces
  readonly servers: Servers
  readonly profiles: Profiles
  readonly exchange: Exchange
  readonly localTools: LocalTools
  readonly robot: Robot
  readonly tools: Tools
  readonly chat: Chat
  /** The model in force with its key; a profile may name another model at the same address. */
  provider(profile?: string): Promise<ProviderConfig>
  /** Before the computer sleeps: the robot lies down and is let go. */
  suspend(): Promise<void>
  /** After the computer slept: connections are made anew. */
  resume(): Promise<void>
  /** Ends everything in reverse order; the robot goes to sleep first when its motors hold torque (at most 7 s). */
  dispose(): Promise<void>
}

function instanceChoice({ instance }: CompanionHost, settings: SettingsStore): InstanceChoice {
  if (instance === undefined) {
    return { chosen: () => settings.chosenInstance(), choose: (manifest) => settings.chooseInstance(manifest) }
  }
  return { chosen: async () => instance, choose: async () => undefined, forOneRun: true }
}

function robotMemory(settings: SettingsStore): RobotMemory {
  return {
    chosen: () => settings.chosenRobot(),
    choose: (id) => settings.chooseRobot(id),
    saved: () => settings.savedRobots(),
    save: (places) => settings.saveRobots(places),
  }
}

/** Wires every room. Nothing is sent to the network and no motor moves before somebody asks. */
export async function createCompanion(host: CompanionHost): Promise<Companion> {
  const { env, log, secrets } = host
  const storage = await createStorage({ dataDir: host.dataDir, log })
  const settings = createSettings({ storage, secrets, env, systemLanguage: host.systemLanguage, log })
  const token = (): Promise<string | null> => settings.hubToken()

  const hub = createHub({ endpoint: env.HF_ENDPOINT, fetch: host.fetch, token, version: host.version, log })
  const mcp = createMcp({ fetch: host.fetch, version: host.version, log })
  const wantedRobot = env.REACHY_MINI_COMPANION_ROBOT?.trim()
  const robot = createRobot({
    log,
    fetch: host.fetch,
    movesDir: path.join(host.resourcesDir, 'moves'),
    storage,
    hub,
    wakeAtStart: host.wakeAtStart,
    // One command on a terminal neither looks for robots by itself nor changes which one the app takes.
    watch: host.wakeAtStart,
    ...(host.wakeAtStart ? { memory: robotMemory(settings) } : {}),
    ...(wantedRobot ? { wanted: wantedRobot } : {}),
  })
  const external = env.REACHY_MINI_EXTERNAL_PROFILES_DIRECTORY
  const externalTools = env.REACHY_MINI_EXTERNAL_TOOLS_DIRECTORY
  const instanceFolder = env.REACHY_MINI_INSTANCE_PATH
  const environmentChoice = env.REACHY_MINI_CUSTOM_PROFILE
  const profiles = createProfiles({
    storage,
    shippedDir: host.shippedProfilesDir,
    ...(external ? { externalDir: path.resolve(external) } : {}),
    ...(environmentChoice ? { environmentChoice } : {}),
    ...(instanceFolder ? { environmentFolder: path.resolve(instanceFolder) } : {}),
    choice: { get: () => settings.chosenProfile(), set: (name) => settings.chooseProfile(name) },
    folder: { get: () => settings.chosenProfilesFolder(), set: (folder) => settings.chooseProfilesFolder(folder) },
    log,
  })
  const exchange = createExchange({
    profiles,
    storage,
    repository: (ref, wanted, signal) => hub.repository(ref, wanted, signal),
    log,
  })
  // A profile chosen by another process shows as soon as its settings are read.
  const unfollow = settings.onChange(({ language }) => {
    profiles.speak(language)
    profiles.touched()
  })
  settings.snapshot().then(
    ({ language }) => profiles.speak(language),
    (error: unknown) => log.warn('the language of the app could not be read', { error: String(error) }),
  )
  const spaces = createSpaces({
    storage,
    hub,
    mcp,
    profiles,
    fetch: host.fetch,
    token,
    log,
    instance: instanceChoice(host, settings),
    background: host.wakeAtStart,
    upstream: { cwd: host.cwd ?? process.cwd(), home: host.home ?? homedir(), env, platform: process.platform },
  })
  const servers = createServers({
    storage,
    mcp,
    profiles,
    secrets,
    env,
    aliases: async () => (await spaces.snapshot()).spaces.map(({ alias }) => alias),
    log,
  })
  const localTools = createLocalTools({
    externalDir: externalTools ? path.resolve(externalTools) : storage.path('external_tools'),
    hostsDir: host.toolHostsDir,
    profiles,
    storage,
    env,
    startModule: host.startModule,
    log,
  })
  const tools = createTools({
    robot,
    spaces,
    servers,
    local: localTools,
    profiles,
    storage,
    autoload: env.AUTOLOAD_EXTERNAL_TOOLS,
    log,
  })

  const provider = async (profile?: string): Promise<ProviderConfig> => {
    const inForce = { ...(await settings.providerInForce()), key: await settings.keyInForce() }
    const model = profile === undefined ? undefined : (await profiles.effective(profile)).model
    if (model === undefined) return inForce
    return model.kind === 'offline' ? { ...inForce, kind: 'offline' } : { ...inForce, model: model.model }
  }
  const chat = createChat({ tools, profiles, robot, provider, fetch: host.fetch, log })

  return {
    host,
    storage,
    settings,
    hub,
    spaces,
    servers,
    profiles,
    exchange,
    localTools,
    robot,
    tools,
    chat,
    provider,
    suspend: () => robot.suspend(),
    async resume() {
      robot.resume()
      await mcp.dropAll()
    },
    async dispose() {
      await chat.dispose()
      tools.dispose()
      servers.dispose()
      spaces.dispose()
      // The body first among the slow ones: its time is limited, theirs is not worth waiting for.
      await Promise.all([robot.dispose(), mcp.dispose(), localTools.dispose()])
      unfollow()
      exchange.dispose()
      profiles.dispose()
      hub.dispose()
      settings.dispose()
      await storage.dispose()
    },
  }
}
