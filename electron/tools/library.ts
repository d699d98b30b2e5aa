import { CompanionError } from '../contract/index.ts'
import { EMOTION_INTENTS } from '../robot/index.ts'
import { wireNames } from '../spaces/index.ts'

import { autoloads } from './autoload.ts'
import { buildRegistry } from './registry.ts'

import type { Log, Problem, ProfilePermission } from '../contract/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Robot } from '../robot/index.ts'
import type { Servers, Spaces } from '../spaces/index.ts'
import type { LocalTool, LocalTools } from './local/index.ts'
import type { Registry, Sources } from './registry.ts'

export interface LibraryDeps {
  readonly robot: Pick<Robot, 'moves'>
  readonly spaces: Pick<Spaces, 'tools' | 'snapshot' | 'onChange'>
  readonly servers: Pick<Servers, 'tools' | 'snapshot' | 'onChange'>
  readonly local: Pick<LocalTools, 'list' | 'onChange'>
  readonly profiles: Pick<Profiles, 'effective' | 'onChange'>
  /** Value of `AUTOLOAD_EXTERNAL_TOOLS`. */
  readonly autoload?: string | undefined
  readonly log: Log
}

/** What one profile may use at this moment. */
export interface View {
  readonly registry: Registry
  /** The profile's list, then what is on in every profile. */
  readonly listed: readonly string[]
  readonly enabled: ReadonlySet<string>
  readonly autoloaded: ReadonlySet<string>
  readonly permissions: Readonly<Record<string, ProfilePermission>>
  /** IDs that the profile keeps from the model. */
  readonly refused: ReadonlySet<string>
}

export interface Library {
  version(): number
  /** All tools as a profile has them; also for one whose files cannot be read. */
  registry(profile: string): Promise<Registry>
  /** @throws CompanionError `profile/*`. */
  view(profile: string): Promise<View>
  onChange(listener: (version: number) => void): () => void
  dispose(): void
}

/** What the sources said, and the registries that were made of it: one for all profiles, one for each with files of its own. */
interface Base {
  readonly sources: Omit<Sources, 'files'>
  readonly files: readonly LocalTool[]
  readonly registries: Map<string, Registry>
  /** Dances that were known. */
  readonly dances: number
}

/**
 * The registries of all profiles on what the sources offer. Sources are read once after each of their changes, and a
 * profile's change only announces a new version: what a profile lists is read again at every question.
 */
export function createLibrary(deps: LibraryDeps): Library {
  const { robot, spaces, servers, local, profiles, log } = deps
  const isAutoloading = autoloads(deps.autoload, log)
  const listeners = new Set<(version: number) => void>()
  let version = 1
  let current: { base: Promise<Base>; dances: number } | undefined

  const dances = () => robot.moves().filter((move) => move.kind === 'dance')

  const files = async (): Promise<{ files: readonly LocalTool[]; notices: Problem[] }> => {
    try {
      return { files: await local.list(), notices: [] }
    } catch (error) {
      // Everything else works without the user's own files.
      log.error('the tools in files could not be listed', { reason: String(error) })
      const known = error instanceof CompanionError ? error : new CompanionError('app/internal', {}, { cause: error })
      return { files: [], notices: [{ code: known.code, details: known.details }] }
    }
  }

  const read = async (): Promise<Base> => {
    const [spaceTools, spacesNow, serverTools, serversNow, own] = await Promise.all([
      spaces.tools(),
      spaces.snapshot(),
      servers.tools(),
      servers.snapshot(),
      files(),
    ])
    const known = dances()
    const body = { intents: EMOTION_INTENTS, dances: known }
    const { notices } = own
    return {
      sources: { body, spaceTools, spaces: spacesNow, serverTools, servers: serversNow, notices },
      files: own.files,
      registries: new Map(),
      dances: known.length,
    }
  }

  const base = (): Promise<Base> => {
    // The robot tells its moves when it has read them and does not announce it.
    const known = dances().length
    if (current?.dances === known) return current.base
    const reading = { base: read(), dances: known }
    current = reading
    reading.base.catch(() => {
      // The caller gets the failure; the next one tries again.
      if (current === reading) current = undefined
    })
    return reading.base
  }

  const registry = async (profile: string): Promise<Registry> => {
    const { sources, files: all, registries } = await base()
    const hasOwn = all.some((file) => file.profile === profile)
    // No profile has an empty name.
    const key = hasOwn ? profile : ''
    const before = registries.get(key)
    if (before) return before
    const used = all.filter((file) => file.profile === null || file.profile === profile)
    const built = buildRegistry({ ...sources, files: used }, wireNames)
    registries.set(key, built)
    return built
  }

  /** One announcement for what happens at once: a saved profile is a change of its own and one of its folder's files. */
  let announcing = false
  const changed = (): void => {
    version += 1
    if (announcing) return
    announcing = true
    queueMicrotask(() => {
      announcing = false
      for (const listener of listeners) listener(version)
    })
  }
  const sourceChanged = (): void => {
    current = undefined
    changed()
  }
  const unsubscribe = [
    spaces.onChange(sourceChanged),
    servers.onChange(sourceChanged),
    local.onChange(sourceChanged),
    profiles.onChange(changed),
  ]

  return {
    version: () => version,
    registry,
    async view(profile) {
      const [known, { toolIds, permissions }] = await Promise.all([registry(profile), profiles.effective(profile)])
      const autoloaded = isAutoloading ? known.tools.filter((tool) => tool.file?.profile === null) : []
      const listed = [...new Set([...toolIds, ...autoloaded.map(({ id }) => id)])]
      const refused = Object.entries(permissions).filter(([, permission]) => permission === 'refuse')
      return {
        registry: known,
        listed,
        enabled: new Set(listed),
        autoloaded: new Set(autoloaded.map(({ id }) => id)),
        permissions,
        refused: new Set(refused.map(([id]) => id)),
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      for (const end of unsubscribe) end()
      listeners.clear()
    },
  }
}
