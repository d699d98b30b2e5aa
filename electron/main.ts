import os from 'node:os'
import path from 'node:path'

import { app, dialog, Menu } from 'electron'

import { dataDirectory, makeDataDirectory } from './data-directory.ts'
import {
  claimInstance,
  createLinks,
  desktopArguments,
  registerAppScheme,
  registerLinkScheme,
  startDesktop,
} from './shell/index.ts'

import type { BrowserWindow } from 'electron'

const flags = desktopArguments(process.argv.slice(1))
const dataDir = dataDirectory({ flag: flags.dataDir, env: process.env, platform: process.platform, home: os.homedir() })

/** Before `ready`, or Electron uses its own folder. */
function claimDataDirectory(): boolean {
  try {
    makeDataDirectory(dataDir)
    app.setPath('userData', dataDir)
    // Chromium's own files have a folder of their own: its Cache and our cache would be one folder where file names
    // know no case.
    app.setPath('sessionData', path.join(dataDir, 'chromium'))
    return true
  } catch (error) {
    dialog.showErrorBox('Reachy Mini Companion', `The data directory cannot be used: ${dataDir}\n${String(error)}`)
    return false
  }
}

registerAppScheme()
// Building Electron's own menu takes a part of the start, and ours comes a moment later.
Menu.setApplicationMenu(null)
const links = createLinks()
registerLinkScheme(links)

let window: BrowserWindow | undefined
if (!claimDataDirectory()) {
  app.exit(1)
} else if (claimInstance(() => window, links)) {
  // No top-level await: with it a packaged app would wait for itself.
  void app.whenReady().then(() => {
    window = startDesktop({
      dataDir,
      ...(flags.robot === undefined ? {} : { robot: flags.robot }),
      out: path.join(import.meta.dirname, '..'),
      shared: app.isPackaged ? process.resourcesPath : app.getAppPath(),
      links,
    })
  })
} else {
  process.stderr.write('The app is running already; its window was brought to the front.\n')
  app.exit(0)
}
