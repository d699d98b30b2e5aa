import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { root, tool } from './run.mjs'

const PLATFORM = { linux: '--linux', darwin: '--mac', win32: '--win' }
const dist = path.join(root, 'dist')

/** The program inside the unpacked directory of this system, or `null` when there is none. */
export function packagedExecutable() {
  const inside = {
    linux: ['reachy-mini-companion'],
    darwin: ['Reachy Mini Companion.app', 'Contents', 'MacOS', 'Reachy Mini Companion'],
    win32: ['Reachy Mini Companion.exe'],
  }[process.platform]
  if (inside === undefined || !existsSync(dist)) return null
  const prefix = { linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform]
  const folder = readdirSync(dist).find((name) => name.startsWith(prefix) && !path.extname(name))
  const file = folder === undefined ? null : path.join(dist, folder, ...inside)
  return file !== null && existsSync(file) ? file : null
}

/**
 * Makes the unpacked directory for this system with the Electron that is here, so that nothing is downloaded.
 * @param {import('./electron.mjs').Runtime} runtime
 * @returns {Promise<boolean>} whether it went well
 */
export async function packDirectory(runtime) {
  const args = [
    PLATFORM[process.platform],
    'dir',
    `-c.electronVersion=${runtime.version}`,
    `-c.electronDist=${runtime.dist}`,
  ]
  const { status } = await tool('electron-builder/cli.js', [...args, '--publish', 'never'])
  return status === 0 && packagedExecutable() !== null
}
