import { createRoot } from 'react-dom/client'

import '../index.css'
import { followChat, useChat } from '../stores/chat.ts'
import { followLinks } from '../stores/links.ts'
import { followNavigation, useNavigation } from '../stores/navigation.ts'
import { followProfiles, useProfiles } from '../stores/profiles.ts'
import { followRobot, useRobot } from '../stores/robot.ts'
import { followRobots } from '../stores/robots.ts'
import { followSettings, useSettings } from '../stores/settings.ts'
import { followSpaces, useSpaces } from '../stores/spaces.ts'
import { followTools } from '../stores/tools.ts'

import { App } from './app.tsx'
import { applyCspNonce } from './csp.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { startI18n } from './i18n.ts'
import { SCREENS } from './screens.ts'
import { applyTheme } from './theme.ts'

import type { Language } from '../../electron/contract/index.ts'
import type { ScreenName } from '../stores/navigation.ts'

/** What the main process knows of last time, without having read the settings; `null` when it knows nothing. */
function rememberedScreen(): ScreenName | null {
  const { screen } = document.documentElement.dataset
  return screen !== undefined && Object.hasOwn(SCREENS, screen) ? (screen as ScreenName) : null
}

/**
 * Follows before it reads, so that no change falls in between. Draws at once when the page came with the look of last
 * time, else as soon as the settings are known; a setting that has changed meanwhile shows when it comes.
 */
async function start(): Promise<void> {
  applyCspNonce()
  const follows = [followSettings, followRobot, followRobots, followChat, followSpaces, followProfiles, followTools]
  for (const follow of follows) follow()
  followNavigation()
  followLinks()
  void useRobot.getState().load()
  void useChat.getState().load()
  void useProfiles.getState().load()
  void useSpaces.getState().load()
  // Most starts end in the conversation: its part of the bundle is read while the settings are. A failure shows below,
  // where the same part is asked for again.
  SCREENS.chat().catch(() => undefined)
  const settingsRead = useSettings.getState().load()
  const remembered = rememberedScreen()
  if (remembered === null) await settingsRead

  const settings = useSettings.getState().snapshot
  const screen = remembered ?? settings?.settings.lastScreen ?? 'chat'
  if (settings) applyTheme(settings.settings.theme)
  useNavigation.setState({ screen })
  const language = settings?.language ?? (remembered === null ? 'en' : (document.documentElement.lang as Language))
  await Promise.all([startI18n(language), SCREENS[screen]()])

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root element.')
  createRoot(root).render(
    <ErrorBoundary>
      <App />
    </ErrorBoundary>,
  )
}

void start()
