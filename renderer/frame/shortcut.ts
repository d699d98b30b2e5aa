import type { ScreenName } from '../stores/navigation.ts'

export type ShortcutAction =
  | { kind: 'emergency-stop' }
  | { kind: 'go'; screen: ScreenName }
  | { kind: 'next-region'; backwards: boolean }
  | { kind: 'undo' }
  | { kind: 'approval' }

export interface PressedKey {
  key: string
  /** The place on the keyboard: digits need Shift on some layouts. */
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

const SCREENS: Readonly<Record<string, ScreenName>> = {
  Digit1: 'chat',
  Digit2: 'spaces',
  Digit3: 'profiles',
  Digit4: 'robot',
}

/**
 * What a key means anywhere in the window; `null`: nothing.
 *
 * @param editing a text field has the focus, which keeps its own undo.
 */
export function shortcutFor(pressed: PressedKey, editing: boolean): ShortcutAction | null {
  const command = pressed.ctrlKey || pressed.metaKey
  if (pressed.key === 'F6' && !command) return { kind: 'next-region', backwards: pressed.shiftKey }
  if (!command || pressed.altKey) return null
  if (pressed.key.toLowerCase() === 'a' && pressed.shiftKey) return { kind: 'approval' }
  if (pressed.key === '.') return { kind: 'emergency-stop' }
  if (pressed.key === ',') return { kind: 'go', screen: 'settings' }
  const screen = SCREENS[pressed.code]
  if (screen && !pressed.shiftKey) return { kind: 'go', screen }
  if (pressed.key.toLowerCase() === 'z' && !pressed.shiftKey && !editing) return { kind: 'undo' }
  return null
}
