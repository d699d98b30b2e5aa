import type { Settings } from '../../electron/contract/index.ts'

/** Sets the theme on the document; `system` leaves the choice to `prefers-color-scheme`. */
export function applyTheme(theme: Settings['theme']): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
}
