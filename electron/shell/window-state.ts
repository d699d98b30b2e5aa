import type { Language, Settings } from '../contract/index.ts'

/** Device-independent pixels. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const MIN_WIDTH = 900
export const MIN_HEIGHT = 600
const DEFAULT_SIZE = { width: 1280, height: 800 }

const THEMES = ['system', 'light', 'dark'] as const
const LANGUAGES = ['en', 'zh-CN', 'fr'] as const satisfies readonly Language[]
const SCREENS = ['chat', 'spaces', 'profiles', 'robot', 'settings'] as const satisfies readonly Settings['lastScreen'][]

/** What the page needs of the settings to draw its first frame. */
export interface PageLook {
  readonly theme: Settings['theme']
  readonly language: Language
  readonly screen: Settings['lastScreen']
}

/**
 * `window.json`. What it holds of the settings is a copy of last time: the first frame is drawn by it, before the rooms
 * that know the settings are loaded. Language and screen are absent until the settings were read once.
 */
export interface WindowState extends Partial<PageLook> {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  readonly maximized: boolean
  readonly theme: Settings['theme']
}

export const FIRST_WINDOW_STATE: WindowState = { ...DEFAULT_SIZE, maximized: false, theme: 'system' }

const within = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((one) => one === value)

/**
 * What a `window.json` says; one that is broken counts as none, the window's place is no loss. Checked by hand: this
 * runs before the window is there, and loading the schema library first would be a fifth of the start.
 */
export function parseWindowState(text: string): WindowState | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { x, y, width, height, maximized, ...look } = value as Record<string, unknown>
  if (!within(width, 100, 20_000) || !within(height, 100, 20_000) || typeof maximized !== 'boolean') return null
  const theme = oneOf(THEMES, look.theme)
  if (theme === undefined) return null
  const language = oneOf(LANGUAGES, look.language)
  const screen = oneOf(SCREENS, look.screen)
  const placed = within(x, -50_000, 50_000) && within(y, -50_000, 50_000)
  return {
    ...(placed ? { x, y } : {}),
    width,
    height,
    maximized,
    theme,
    ...(language === undefined ? {} : { language }),
    ...(screen === undefined ? {} : { screen }),
  }
}

/** The look of last time; `null` at the first start, and after one in which the settings could not be read. */
export function rememberedLook({ theme, language, screen }: WindowState): PageLook | null {
  return language === undefined || screen === undefined ? null : { theme, language, screen }
}

const overlap = (a1: number, a2: number, b1: number, b2: number): number =>
  Math.max(0, Math.min(a2, b2) - Math.max(a1, b1))

/**
 * Where the window opens: as it was, when enough of its title bar lies on a screen that is there now; else the system
 * chooses the place. Never larger than the screen, never smaller than the interface needs.
 */
export function placeWindow(
  state: WindowState,
  workAreas: readonly Rectangle[],
): { width: number; height: number; x?: number; y?: number } {
  const { x, y } = state
  const home =
    x === undefined || y === undefined
      ? undefined
      : workAreas.find(
          (area) =>
            overlap(x, x + state.width, area.x, area.x + area.width) >= 100 &&
            y >= area.y &&
            y <= area.y + area.height - 40,
        )
  const area = home ?? workAreas[0]
  const width = Math.max(MIN_WIDTH, Math.min(state.width, area?.width ?? state.width))
  const height = Math.max(MIN_HEIGHT, Math.min(state.height, area?.height ?? state.height))
  return home === undefined || x === undefined || y === undefined ? { width, height } : { width, height, x, y }
}
