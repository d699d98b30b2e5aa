import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** Where a robot's own app may keep its list; filled in by the host. */
export interface UpstreamSearch {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

export const MANIFEST_NAME = 'installed_tool_spaces.json'
/** The folder of the Python package, in which version 0.10 keeps the list of the app that the daemon starts. */
const PACKAGE = 'reachy_mini_conversation_app'
/** What upstream's command line makes in the current directory. */
const EXTERNAL = 'external_content'

/**
 * The usual places of `pollen-robotics/reachy_mini_conversation_app`, all versions: what its command line writes below the
 * current directory; `REACHY_MINI_INSTANCE_PATH`, else the user's configuration folder (Python's platformdirs, and
 * `~/.config` everywhere); `~/.reachy_mini/installed_spaces`, which third parties name.
 */
export function usualPlaces(search: UpstreamSearch): string[] {
  const { cwd, home, env, platform } = search
  const instance = env.REACHY_MINI_INSTANCE_PATH?.trim()
  const config = new Set([...configFolders(home, env, platform), path.join(home, '.config')])
  const thirdParty = path.join(home, '.reachy_mini', 'installed_spaces')
  return [
    path.join(cwd, EXTERNAL, MANIFEST_NAME),
    ...(instance ? [path.join(path.resolve(cwd, instance), MANIFEST_NAME)] : []),
    ...[...config].map((folder) => path.join(folder, 'reachy_mini', 'conversation_app', MANIFEST_NAME)),
    path.join(thirdParty, MANIFEST_NAME),
    thirdParty,
    `${thirdParty}.json`,
  ]
}

function configFolders(home: string, env: UpstreamSearch['env'], platform: NodeJS.Platform): string[] {
  switch (platform) {
    case 'win32':
      return [
        env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'),
        env.APPDATA || path.join(home, 'AppData', 'Roaming'),
      ]
    case 'darwin':
      return [path.join(home, 'Library', 'Application Support')]
    default:
      return env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? [env.XDG_CONFIG_HOME] : []
  }
}

/**
 * Where a list may be in what a person named: the file itself, a folder with it, a folder in which upstream's command line
 * was run, the Python package, a `site-packages`, or a virtual environment.
 */
export async function placesIn(named: string): Promise<string[]> {
  const folder = path.resolve(named)
  const packages = [folder, path.join(folder, 'Lib', 'site-packages'), ...(await sitePackages(folder))]
  return [
    path.join(folder, MANIFEST_NAME),
    path.join(folder, EXTERNAL, MANIFEST_NAME),
    ...packages.map((one) => path.join(one, PACKAGE, MANIFEST_NAME)),
    folder,
  ]
}

async function sitePackages(venv: string): Promise<string[]> {
  const lib = path.join(venv, 'lib')
  try {
    const names = await readdir(lib)
    return names.filter((name) => /^python3/.test(name)).map((name) => path.join(lib, name, 'site-packages'))
  } catch (error) {
    // No virtual environment, or one that may not be listed.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
