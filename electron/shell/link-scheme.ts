import { app } from 'electron'

import { LINK_SCHEME } from '../contract/constants.ts'

import { linkAmong } from './deep-link.ts'

import type { Links } from './deep-link.ts'

/**
 * Takes the links of this start: from the command line, on macOS from the system's own event, which may come before
 * Electron is ready. To be called first of all.
 *
 * Who opens such links is written into the bundle (macOS) or the desktop file (Linux) by the package. Windows has no
 * such place, so the installed app says it itself; `--` keeps what a link carries from being read as a flag
 * (https://www.electronjs.org/blog/protocol-handler-fix). An app run from its source registers nothing.
 */
export function registerLinkScheme(links: Links): void {
  app.on('open-url', (event, url) => {
    event.preventDefault()
    links.arrive(url)
  })
  const link = linkAmong(process.argv.slice(1))
  if (link !== null) links.arrive(link)
  if (app.isPackaged && process.platform === 'win32') {
    app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--'])
  }
}
