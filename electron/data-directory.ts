import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Where the app keeps its files: `--data-dir`, else `REACHY_MINI_COMPANION_DATA_DIR`, else `reachy-mini-companion` in
 * the folder that Electron calls `appData`, so that the command line finds the same place without Electron. Apart from
 * the rooms: the desktop needs it before Electron is ready, the rooms are loaded while the window opens.
 */
export function dataDirectory(input: {
  flag?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  home: string
}): string {
  const given = input.flag ?? input.env.REACHY_MINI_COMPANION_DATA_DIR
  if (given) return path.resolve(given)
  const system = input.platform === 'win32' ? path.win32 : path.posix
  return system.join(appData(input.env, input.platform, input.home), 'reachy-mini-companion')
}

function appData(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, home: string): string {
  switch (platform) {
    case 'win32':
      return env.APPDATA || path.win32.join(home, 'AppData', 'Roaming')
    case 'darwin':
      return path.posix.join(home, 'Library', 'Application Support')
    default: {
      // A relative path has to be ignored: https://specifications.freedesktop.org/basedir/latest/
      const configured = env.XDG_CONFIG_HOME
      return configured && path.posix.isAbsolute(configured) ? configured : path.posix.join(home, '.config')
    }
  }
}

/**
 * Makes the folder and what is missing above it, one by one: with `recursive`, Node tries without end where a parent is
 * there but takes no folder, as below Linux' /proc. @throws the system's error.
 */
export function makeDataDirectory(dir: string): void {
  if (existsSync(dir) && statSync(dir).isDirectory()) return
  const parent = path.dirname(dir)
  if (parent !== dir) makeDataDirectory(parent)
  try {
    // Conversations and keys lie in it: for their owner only.
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    const madeMeanwhile = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(dir).isDirectory()
    if (!madeMeanwhile) throw error
  }
}
