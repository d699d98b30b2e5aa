import { existsSync, readFileSync } from 'node:fs'

import { BrowserWindow, nativeTheme, screen } from 'electron'

import { START_URL } from './assets.ts'
import {
  FIRST_WINDOW_STATE,
  MIN_HEIGHT,
  MIN_WIDTH,
  parseWindowState,
  placeWindow,
  rememberedLook,
} from './window-state.ts'

import type { Log } from '../contract/index.ts'
import type { PageLook, WindowState } from './window-state.ts'

/** The colour of the housing in either theme, so that nothing flashes before the first frame. */
const BACKGROUND = { light: '#e9e7e4', dark: '#12110f' }
const SAVE_DELAY_MS = 500

const background = (): string => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light)

function readState(file: string, log: Log): WindowState {
  if (!existsSync(file)) return FIRST_WINDOW_STATE
  const state = parseWindowState(readFileSync(file, 'utf8'))
  if (state === null) log.warn('window.json says nothing that can be used; the window opens as on the first day')
  return state ?? FIRST_WINDOW_STATE
}

export interface MainWindow {
  readonly window: BrowserWindow
  /** As it was at the end of last time; `null` when that is not known. */
  readonly look: PageLook | null
  /** Resolves when there is something to see. */
  readonly painted: Promise<void>
  /** The settings say how it looks from now on. */
  setLook(look: PageLook): void
  /** Writes what is not written yet. */
  flush(): Promise<void>
}

/** Opens the one window, where and as it was last time, and remembers it in `file`. */
export function openWindow(deps: { file: string; preload: string; developer: boolean; log: Log }): MainWindow {
  const { file, log } = deps
  let state = readState(file, log)
  const look = rememberedLook(state)
  nativeTheme.themeSource = state.theme

  const window = new BrowserWindow({
    ...placeWindow(
      state,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'Reachy Mini Companion',
    backgroundColor: background(),
    autoHideMenuBar: true,
    webPreferences: {
      preload: deps.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Its dictionaries would be downloaded from the network.
      spellcheck: false,
      devTools: deps.developer,
    },
  })
  if (state.maximized) window.maximize()
  const painted = new Promise<void>((resolve) => window.once('ready-to-show', () => resolve()))
  window.once('ready-to-show', () => window.show())
  void window.loadURL(START_URL).catch((error: unknown) => log.error('the page could not be opened', { error }))

  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    writing = writing
      .then(async () => {
        // Loaded late: storage brings the schema library along, which the first window does not wait for.
        const { replaceFile } = await import('../storage/index.ts')
        await replaceFile(file, `${JSON.stringify(state)}\n`, 0o600)
      })
      .catch((error: unknown) => log.warn('window.json could not be written', { error }))
  }
  const change = (part: Partial<WindowState>): void => {
    state = { ...state, ...part }
    clearTimeout(timer)
    timer = setTimeout(write, SAVE_DELAY_MS)
  }
  const remember = (): void => change({ ...window.getNormalBounds(), maximized: window.isMaximized() })
  window.on('resize', remember)
  window.on('move', remember)
  window.on('maximize', remember)
  window.on('unmaximize', remember)
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(background())
  })

  return {
    window,
    look,
    painted,
    setLook({ theme, language, screen }) {
      if (theme === state.theme && language === state.language && screen === state.screen) return
      if (theme !== state.theme) nativeTheme.themeSource = theme
      change({ theme, language, screen })
    },
    async flush() {
      if (timer !== undefined) write()
      await writing
    },
  }
}
