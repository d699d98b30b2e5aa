import type { EventPayload, ProfilesSnapshot } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { MenuItemConstructorOptions } from 'electron'

type Screen = EventPayload<'app.navigate'>['screen']

export interface MenuActions {
  navigate(screen: Screen): void
  emergencyStop(): void
  useProfile(name: string): void
}

/** One profile that can be chosen. */
export interface MenuProfile {
  readonly name: string
  readonly label: string
  readonly active: boolean
}

/** The profiles to choose from: hidden ones and those behind another of the same name are left out. Pure. */
export function menuProfiles({ profiles, active }: ProfilesSnapshot): readonly MenuProfile[] {
  return profiles
    .filter(({ name, hidden, problem }) => name === active || (!hidden && problem?.code !== 'profile/exists'))
    .map(({ name, title }) => ({
      name,
      label: title === undefined ? name : `${title} (${name})`,
      active: name === active,
    }))
}

/**
 * The application menu. Emergency stop has its accelerator here, so that it works wherever the focus is. Labels are
 * given for roles too: Electron translates them on macOS only.
 */
export function menuTemplate(
  words: DesktopWords['menu'],
  actions: MenuActions,
  options: { platform: NodeJS.Platform; developer: boolean; profiles?: readonly MenuProfile[] },
): MenuItemConstructorOptions[] {
  const go = (label: string, screen: Screen, accelerator: string): MenuItemConstructorOptions => ({
    id: `go-${screen}`,
    label,
    accelerator,
    click: () => actions.navigate(screen),
  })
  const separator = { type: 'separator' } as const
  const settings = go(words.settings, 'settings', 'CommandOrControl+,')
  const quit: MenuItemConstructorOptions = { role: 'quit', label: words.quit, accelerator: 'CommandOrControl+Q' }
  const mac = options.platform === 'darwin'
  const first: MenuItemConstructorOptions = {
    label: mac ? words.app : words.file,
    submenu: mac
      ? [settings, separator, { role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, separator, quit]
      : [settings, separator, quit],
  }
  return [
    first,
    {
      label: words.edit,
      submenu: [
        { role: 'undo', label: words.undo },
        { role: 'redo', label: words.redo },
        separator,
        { role: 'cut', label: words.cut },
        { role: 'copy', label: words.copy },
        { role: 'paste', label: words.paste },
        { role: 'selectAll', label: words.selectAll },
      ],
    },
    {
      label: words.view,
      submenu: [
        go(words.chat, 'chat', 'CommandOrControl+1'),
        go(words.spaces, 'spaces', 'CommandOrControl+2'),
        go(words.profiles, 'profiles', 'CommandOrControl+3'),
        go(words.robotScreen, 'robot', 'CommandOrControl+4'),
        separator,
        { role: 'zoomIn', label: words.zoomIn, accelerator: 'CommandOrControl+Plus' },
        { role: 'zoomOut', label: words.zoomOut },
        { role: 'resetZoom', label: words.resetZoom },
        separator,
        { role: 'togglefullscreen', label: words.fullScreen },
        ...(options.developer ? [{ role: 'toggleDevTools', label: words.developerTools } as const] : []),
      ],
    },
    {
      label: words.profile,
      // Before the rooms are there nothing can be chosen.
      submenu: (options.profiles ?? []).map(({ name, label, active }) => ({
        id: `profile-${name}`,
        // An ampersand would underline the letter behind it.
        label: label.replaceAll('&', '&&'),
        type: 'radio' as const,
        checked: active,
        click: () => actions.useProfile(name),
      })),
    },
    {
      label: words.robot,
      submenu: [
        {
          id: 'emergency-stop',
          label: words.emergencyStop,
          accelerator: 'CommandOrControl+.',
          click: () => actions.emergencyStop(),
        },
      ],
    },
    {
      label: words.window,
      submenu: [
        { role: 'minimize', label: words.minimize },
        { role: 'close', label: words.close },
      ],
    },
  ]
}
