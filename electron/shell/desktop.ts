import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { app, dialog, Menu, powerMonitor, safeStorage, shell } from 'electron'

import { fill } from '../strings/fill.ts'

import { watchWindow } from './crash.ts'
import { createEmit, isSeen, serveRequests } from './ipc.ts'
import { createLog } from './logs.ts'
import { menuProfiles, menuTemplate } from './menu.ts'
import { serveApp } from './protocol.ts'
import { quitCleanly } from './quit.ts'
import { isOpenable } from './security-rules.ts'
import { lockDown } from './security.ts'
import { startModule } from './tool-process.ts'
import { createTray } from './tray.ts'
import { openWindow } from './window.ts'

import type { ProfilesSnapshot } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { Links } from './deep-link.ts'
import type { Emit } from './handlers.ts'
import type { DesktopLog } from './logs.ts'
import type { MenuActions, MenuProfile } from './menu.ts'
import type { Look, Session } from './session.ts'
import type { TrayIcon } from './tray.ts'
import type { MainWindow } from './window.ts'
import type { BrowserWindow } from 'electron'

/** The robot's rooms are not left waiting for a page that cannot be read. */
const PAGE_PATIENCE_MS = 1_000

/** Characters of a wrong link that are logged. */
const LOGGED_LINK = 200

export interface DesktopOptions {
  readonly dataDir: string
  /** As `--robot`. */
  readonly robot?: string
  /** Folder of the built app: `main/`, `preload/` and `renderer/` below it. */
  readonly out: string
  /** Folder with `profiles/` and `resources/`. */
  readonly shared: string
  /** Links that the system hands over. */
  readonly links: Links
}

async function askAboutLink(window: BrowserWindow, url: string, { link }: DesktopWords): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: link.message,
    detail: url,
    buttons: [link.open, link.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

async function chooseFolder(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] })
  return canceled ? null : (filePaths[0] ?? null)
}

async function chooseFile(window: BrowserWindow, endings: readonly string[]): Promise<string | null> {
  const filters = [{ name: endings.map((ending) => `.${ending}`).join(', '), extensions: [...endings] }]
  const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters })
  return canceled ? null : (filePaths[0] ?? null)
}

async function chooseSave(window: BrowserWindow, name: string, endings: readonly string[]): Promise<string | null> {
  const filters = endings.map((ending) => ({ name: `.${ending}`, extensions: [ending] }))
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: name, filters })
  return canceled || filePath === '' ? null : filePath
}

/** The rooms, loaded apart; see `session.ts`. */
async function loadSession(
  options: DesktopOptions,
  main: MainWindow,
  log: DesktopLog,
  { follow, followProfiles, words }: FollowedLook,
): Promise<Session> {
  const { dataDir, shared, robot, links } = options
  const { openSession } = await import('./session.ts')
  const robotVariable = robot === undefined ? {} : { REACHY_MINI_COMPANION_ROBOT: robot }
  return openSession({
    host: {
      dataDir,
      version: app.getVersion(),
      resourcesDir: path.join(shared, 'resources'),
      toolHostsDir: path.join(shared, 'resources', 'tool-hosts'),
      shippedProfilesDir: path.join(shared, 'profiles'),
      fetch: globalThis.fetch,
      log,
      env: { ...process.env, ...robotVariable },
      systemLanguage: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
      wakeAtStart: true,
      startModule,
    },
    secretsFile: path.join(dataDir, 'secrets.json'),
    vault: safeStorage,
    emit: createEmit(main.window),
    onLook: follow,
    onProfiles: followProfiles,
    desktop: {
      appInfo: () => ({
        version: app.getVersion(),
        dataDir,
        platform: process.platform,
        electron: process.versions.electron,
        chrome: process.versions.chrome,
        packaged: app.isPackaged,
      }),
      openExternal: async (url) => {
        if (!isOpenable(url)) throw new Error('this address is not for the browser')
        await shell.openExternal(url)
      },
      confirmLink: async (url) => askAboutLink(main.window, url, await words()),
      takeLink: () => links.take(),
      chooseFolder: () => chooseFolder(main.window),
      chooseFile: (endings) => chooseFile(main.window, endings),
      chooseSave: (name, endings) => chooseSave(main.window, name, endings),
      openFolder: (folder) => shell.openPath(folder),
      showInFolder: (file) => shell.showItemInFolder(file),
    },
  })
}

/** A start that failed is told natively: the page could only say that nothing answers. */
async function tellFailedStart(error: unknown, logs: string): Promise<void> {
  const [{ failureOf }, { wordsIn }] = await Promise.all([import('../failure.ts'), import('./session.ts')])
  const { message, hint } = failureOf(error)
  const { failed } = wordsIn('en')
  const detail = fill(failed.detail, { message, hint: hint ?? '', logs })
  await dialog.showMessageBox({ type: 'error', message: failed.message, detail, buttons: [failed.quit], noLink: true })
  app.quit()
}

async function tellUnconfirmed({ unconfirmed }: DesktopWords): Promise<void> {
  await dialog.showMessageBox({ type: 'warning', ...unconfirmed, noLink: true })
}

/** A link shows a Space, and does nothing else. */
function followLinks(window: BrowserWindow, links: Links, emit: Emit, log: DesktopLog): void {
  window.webContents.on('did-navigate', () => links.pageGone())
  window.webContents.on('render-process-gone', () => links.pageGone())
  links.connect({
    open: (space) => emit('app.navigate', { screen: 'spaces', space }),
    refuse: (text) => log.warn('a link that is none of ours was ignored', { link: text.slice(0, LOGGED_LINK) }),
  })
}

interface FollowedLook {
  follow(this: void, look: Look): void
  followProfiles(this: void, snapshot: ProfilesSnapshot): void
  words(this: void): Promise<DesktopWords>
}

/** Menu and theme as the settings say, from the first settings on; the profiles in the menu as they are. */
function createLook(main: MainWindow, actions: MenuActions, tray: TrayIcon): FollowedLook {
  let current: Look | undefined
  let profiles: readonly MenuProfile[] = []
  let shown = ''
  const showMenu = (): void => {
    // A menu that is put up anew closes under the pointer: not for the same one.
    const wanted = JSON.stringify([current?.language, profiles])
    if (current === undefined || wanted === shown) return
    shown = wanted
    const options = { platform: process.platform, developer: !app.isPackaged, profiles }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(current.words.menu, actions, options)))
  }
  return {
    words: async () => current?.words ?? (await import('./session.ts')).wordsIn('en'),
    follow(look) {
      const { words: _, ...page } = look
      main.setLook(page)
      current = look
      showMenu()
      tray.follow(look.words)
    },
    followProfiles(snapshot) {
      profiles = menuProfiles(snapshot)
      showMenu()
    },
  }
}

/** What nobody caught is written down; Electron's own message about an exception follows. */
function logAccidents(log: DesktopLog): void {
  process.on('unhandledRejection', (error) => log.error('a rejection was not handled', { error }))
  process.on('uncaughtExceptionMonitor', (error) => log.error('an exception was not caught', { error }))
  // The terminal that the app was started from may be closed; a log line for nobody is no accident.
  process.stderr.on('error', (error) => log.debug('stderr is gone', { error }))
}

/**
 * Opens the window first, then loads the rooms beside it; requests of the page wait for them. Electron has to be ready.
 * @returns the window, for a second start that wants to bring it to the front.
 */
export function startDesktop(options: DesktopOptions): BrowserWindow {
  const { dataDir, out } = options
  const logs = path.join(dataDir, 'logs')
  const log = createLog(dataDir)
  logAccidents(log)
  lockDown(log)
  const firstPage = serveApp(path.join(out, 'renderer'), () => main.look, log)
  const main = openWindow({
    file: path.join(dataDir, 'window.json'),
    preload: path.join(out, 'preload', 'preload.cjs'),
    developer: !app.isPackaged,
    log,
  })
  const { window } = main
  const emit = createEmit(window)
  followLinks(window, options.links, emit, log)
  /** From the menu and the system's bar: whoever stops from there may not see the panel, so that a doubt is told natively. */
  const emergencyStop = (): void => {
    const stop = async (): Promise<boolean> => (await (await session).companion.robot.emergencyStop()).confirmed
    stop()
      .catch((error: unknown) => {
        log.error('emergency stop failed', { error })
        return false
      })
      .then(async (confirmed) => {
        if (!confirmed) await tellUnconfirmed(await look.words())
      })
      .catch((error: unknown) => log.error('an unconfirmed stop could not be told', { error }))
  }
  const tray = createTray({
    icon: path.join(options.shared, 'resources', 'icons', '32x32.png'),
    window,
    emergencyStop,
    log,
  })
  const actions: MenuActions = {
    navigate: (screen) => emit('app.navigate', { screen }),
    emergencyStop,
    useProfile: (name) => {
      session
        .then(({ companion }) => companion.profiles.use(name))
        .catch((error: unknown) => {
          log.error('a profile of the menu could not be used', { name, error })
          // The screen says why it cannot be used.
          emit('app.navigate', { screen: 'profiles' })
        })
    },
  }
  const look = createLook(main, actions, tray)

  // Loading the rooms keeps the main thread busy, without which no page is handed out: the page goes first. When it
  // knows how it looked last time it draws itself without them; else it waits for the settings.
  const pageOrPatience = Promise.race([main.look === null ? firstPage : main.painted, sleep(PAGE_PATIENCE_MS)])
  const session = pageOrPatience.then(() => loadSession(options, main, log, look))
  let opened: Session | undefined
  const settled = session.then(
    (value) => {
      opened = value
    },
    async (error: unknown) => {
      log.error('the companion could not be made', { error })
      await tellFailedStart(error, logs).catch((again: unknown) =>
        log.error('nor could that be told', { error: again }),
      )
    },
  )
  const watch = watchWindow({ window, words: look.words, logs, log })
  serveRequests(
    window,
    session.then(({ router }) => router),
    watch.alive,
  )
  const showRobot = (): void => {
    if (opened !== undefined && isSeen(window)) emit('robot.changed', opened.companion.robot.state())
  }
  window.on('show', showRobot)
  window.on('restore', showRobot)
  powerMonitor.on('suspend', () => {
    opened?.companion.suspend().catch((error: unknown) => log.error('going to sleep met an error', { error }))
  })
  powerMonitor.on('resume', () => {
    opened?.companion.resume().catch((error: unknown) => log.error('waking up met an error', { error }))
  })
  quitCleanly({
    window: () => window,
    motorsHoldTorque: () => opened?.companion.robot.state().torque ?? false,
    dispose: async () => {
      tray.dispose()
      await main.flush()
      const [end] = await Promise.allSettled([session])
      if (end.status !== 'fulfilled') return
      end.value.closeSocket()
      await end.value.companion.dispose()
    },
    log,
  })
  settled
    .then(() => log.open())
    .catch((error: unknown) => process.stderr.write(`the log cannot be written: ${String(error)}\n`))
  return window
}
