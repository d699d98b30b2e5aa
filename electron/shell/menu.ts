import type { EventPayload } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { MenuItemConstructorOptions } from 'electron'

type Screen = EventPayload<'app.navigate'>['screen']

export interface MenuActions {
  navigate(screen: Screen): void
  emergencyStop(): void
}

/**
 * The application menu. Emergency stop has its accelerator here, so that it works wherever the focus is. Labels are
 * given for roles too: Electron translates them on macOS only.
 */
export function menuTemplate(
  words: DesktopWords['menu'],
  actions: MenuActions,
  options: { platform: NodeJS.Platform; developer: boolean },
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
