import { serveApp } from '../app-socket.ts'
import { createCompanion } from '../companion.ts'
import { strings } from '../strings/index.ts'

import { createHandlers, forwardEvents } from './handlers.ts'
import { createRouter } from './router.ts'
import { createSecrets } from './secrets.ts'

import type { Companion, CompanionHost } from '../companion.ts'
import type { Language, ProfilesSnapshot, SettingsSnapshot } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { Desktop, Emit } from './handlers.ts'
import type { Router } from './router.ts'
import type { Vault } from './secrets.ts'
import type { PageLook } from './window-state.ts'

/** The rooms behind the window, and what the desktop needs of them. */
export interface Session {
  readonly companion: Companion
  readonly router: Router
  /** Commands find no app any more. */
  closeSocket(): void
}

/** What of the settings the desktop itself follows. */
export interface Look extends PageLook {
  readonly words: DesktopWords
}

export const wordsIn = (language: Language): DesktopWords => strings[language].desktop

const lookOf = ({ language, settings }: SettingsSnapshot): Look => ({
  words: wordsIn(language),
  theme: settings.theme,
  language,
  screen: settings.lastScreen,
})

/**
 * Makes the companion and connects it with the window. Loaded by `import()` while the window opens: the rooms and
 * their libraries take longer to load than an empty window takes to appear.
 */
export async function openSession(deps: {
  host: Omit<CompanionHost, 'secrets'>
  secretsFile: string
  vault: Vault
  desktop: Omit<Desktop, 'emergencyStop'>
  emit: Emit
  onLook: (look: Look) => void
  onProfiles: (snapshot: ProfilesSnapshot) => void
}): Promise<Session> {
  const { host, emit, onLook, onProfiles } = deps
  const { env, log } = host
  const secrets = createSecrets({ file: deps.secretsFile, vault: deps.vault, env, platform: process.platform, log })
  const companion = await createCompanion({ ...host, secrets })
  const handlers = createHandlers(companion, { ...deps.desktop, emergencyStop: () => companion.robot.emergencyStop() })

  onLook(lookOf(await companion.settings.snapshot()))
  companion.settings.onChange((snapshot) => onLook(lookOf(snapshot)))
  companion.profiles.onChange(onProfiles)
  companion.profiles
    .snapshot()
    .then(onProfiles)
    .catch((error: unknown) => log.error('the menu has no profiles', { error: String(error) }))
  forwardEvents(companion, emit)
  // Not waited for: the window is usable before the body is awake, and says so.
  companion.robot.start().catch((error: unknown) => log.error('the robot did not start', { error: String(error) }))
  const socket = await serveCommands(companion)
  return { companion, router: createRouter(handlers, log), closeSocket: () => socket?.close() }
}

/** A command on a terminal can stop the robot that this app holds. Without the socket everything else works. */
async function serveCommands({ host, robot }: Companion): Promise<{ close(): void } | null> {
  try {
    return await serveApp(host.dataDir, async (request) => {
      const { id, connection } = robot.state()
      if (request.do === 'who') return { robot: id, connection }
      const { confirmed } = await robot.emergencyStop()
      return { robot: id, connection, confirmed }
    })
  } catch (error) {
    host.log.error('commands cannot reach this app', { error: String(error) })
    return null
  }
}
