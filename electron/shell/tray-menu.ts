import type { DesktopWords } from '../strings/desktop.ts'
import type { MenuItemConstructorOptions } from 'electron'

export interface TrayActions {
  emergencyStop(): void
  /** Brings the window up, or takes it from the screen while it is on it. */
  toggleWindow(): void
  quit(): void
}

/** The menu behind the icon of the system's bar: what works without the window first. Pure. */
export function trayTemplate(
  words: DesktopWords,
  actions: TrayActions,
  { visible }: { visible: boolean },
): MenuItemConstructorOptions[] {
  return [
    { id: 'tray-stop', label: words.menu.emergencyStop, click: () => actions.emergencyStop() },
    { type: 'separator' },
    {
      id: 'tray-window',
      label: visible ? words.tray.hide : words.tray.show,
      click: () => actions.toggleWindow(),
    },
    { type: 'separator' },
    { id: 'tray-quit', label: words.menu.quit, click: () => actions.quit() },
  ]
}
