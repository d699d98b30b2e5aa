import { createRoot } from 'react-dom/client'

import '../index.css'
import { followChat, useChat } from '../stores/chat.ts'
import { followNavigation, useNavigation } from '../stores/navigation.ts'
import { followProfiles, useProfiles } from '../stores/profiles.ts'
import { followRobot, useRobot } from '../stores/robot.ts'
import { followSettings, useSettings } from '../stores/settings.ts'
import { followSpaces, useSpaces } from '../stores/spaces.ts'
import { followTools } from '../stores/tools.ts'

import { App } from './app.tsx'
import { applyCspNonce } from './csp.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { startI18n } from './i18n.ts'
import { SCREENS } from './screens.ts'
import { applyTheme } from './theme.ts'

/** Follows before it reads, so that no change falls in between; draws as soon as the settings are known. */
async function start(): Promise<void> {
  applyCspNonce()
  for (const follow of [followSettings, followRobot, followChat, followSpaces, followProfiles, followTools]) follow()
  followNavigation()
  void useRobot.getState().load()
  void useChat.getState().load()
  void useProfiles.getState().load()
  void useSpaces.getState().load()
  // Most starts end in the conversation: its part of the bundle is read while the settings are. A failure shows below,
  // where the same part is asked for again.
  SCREENS.chat().catch(() => undefined)
  await useSettings.getState().load()

  const settings = useSettings.getState().snapshot
  const screen = settings?.settings.lastScreen ?? 'chat'
  if (settings) applyTheme(settings.settings.theme)
  useNavigation.setState({ screen })
  await Promise.all([startI18n(settings?.language ?? 'en'), SCREENS[screen]()])

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root element.')
  createRoot(root).render(
    <ErrorBoundary>
      <App />
    </ErrorBoundary>,
  )
}

void start()
