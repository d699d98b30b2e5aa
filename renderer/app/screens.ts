import type { ScreenName } from '../stores/navigation.ts'
import type { ComponentType } from 'react'

type Loader = () => Promise<{ default: ComponentType }>

/** Each screen is a part of the bundle that is read when it is first shown. */
export const SCREENS: Record<ScreenName, Loader> = {
  chat: async () => ({ default: (await import('../screens/chat/chat-screen.tsx')).ChatScreen }),
  spaces: async () => ({ default: (await import('../screens/spaces/spaces-screen.tsx')).SpacesScreen }),
  profiles: async () => ({ default: (await import('../screens/profiles/profiles-screen.tsx')).ProfilesScreen }),
  robot: async () => ({ default: (await import('../screens/robot/robot-screen.tsx')).RobotScreen }),
  settings: async () => ({ default: (await import('../screens/settings/settings-screen.tsx')).SettingsScreen }),
}
