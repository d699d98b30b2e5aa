import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { isRoot, run, say, SetupError } from './run.mjs'

/** Debian's packages for what Electron needs of the system (its `Depends` in electron-builder's deb target). */
const LIBRARY_PACKAGES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1']

/** Names of shared libraries that `ldd` did not find. */
export function missingLibraries(lddOutput) {
  return [...new Set([...lddOutput.matchAll(/^\s*(\S+)\s+=>\s+not found/gm)].map((match) => match[1]))]
}

/** Whether /etc/os-release describes a system with Debian's packages. */
export function isDebianLike(osRelease) {
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(osRelease)
}

export const needsDisplay = () => process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY

const onPath = (name) =>
  (process.env.PATH ?? '').split(path.delimiter).some((dir) => dir !== '' && existsSync(path.join(dir, name)))

/** Since the 64-bit time change (Debian 13, Ubuntu 24.04) some libraries carry the suffix `t64`. */
async function currentName(name) {
  const { stdout } = await run('apt-cache', ['show', '--no-all-versions', `${name}t64`], { capture: true })
  return stdout.includes(`Package: ${name}t64`) ? `${name}t64` : name
}

async function aptInstall(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = await run('apt-get', ['update', '-qq'], { env, capture: true })
  if (update.status !== 0)
    say(`apt-get update ended with status ${update.status}; going on with the lists that are here.`)
  const packages = await Promise.all(names.map(currentName))
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  const { status, stderr } = await run('apt-get', install, { env, capture: true })
  if (status !== 0) throw new SetupError(`${stderr}apt-get install ${packages.join(' ')} ended with status ${status}.`)
}

/** What the system lacks, in words, and the Debian packages that bring it. */
async function lacking(executable) {
  const ldd = await run('ldd', [executable], { capture: true })
  const libraries = missingLibraries(ldd.stdout)
  const noXvfb = needsDisplay() && !onPath('Xvfb')
  return {
    what: [...libraries, ...(noXvfb ? ['Xvfb (there is no display)'] : [])],
    packages: [...(libraries.length > 0 ? LIBRARY_PACKAGES : []), ...(noXvfb ? ['xvfb'] : [])],
  }
}

/**
 * Makes sure that Linux has the shared libraries Electron needs, and Xvfb where there is no display.
 * As root on Debian or Ubuntu they are installed; else the command is named.
 * @throws {SetupError} when something is missing all the same.
 */
export async function ensureLinux(executable) {
  if (process.platform !== 'linux') return
  const { what, packages } = await lacking(executable)
  if (what.length === 0) return
  const osRelease = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!isDebianLike(osRelease)) {
    throw new SetupError(
      `Missing on this system: ${what.join(', ')}. Install GTK 3, NSS, ALSA, GBM and Xvfb with its package manager, then try again.`,
    )
  }
  if (!isRoot) {
    const names = await Promise.all(packages.map(currentName))
    throw new SetupError(
      `Missing on this system: ${what.join(', ')}. Install it, then try again:\n  sudo apt-get install -y ${names.join(' ')}`,
    )
  }
  say(`Installing system packages, once: ${packages.join(', ')}.`)
  await aptInstall(packages)
  const still = await lacking(executable)
  if (still.what.length > 0) throw new SetupError(`Still missing after the installation: ${still.what.join(', ')}.`)
}

/**
 * Starts Xvfb and ends it as soon as the input closes, which it does however this process ends. `exec 3>&-`: the number's
 * pipe is then Xvfb's alone and closes with it.
 */
const DISPLAY_SERVER = `
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset </dev/null &
exec 3>&-
read -r _
kill $!
wait $!
`

/** Number of the free display that Xvfb chose. */
async function displayNumber(server) {
  let text = ''
  for await (const chunk of server.stdio[3].setEncoding('utf8')) {
    text += chunk
    if (text.endsWith('\n')) return text.trim()
  }
  throw new SetupError('Xvfb, the virtual display, did not start.')
}

/**
 * Runs `body` with a display: the person's own, else a virtual one that ends after it.
 * Xvfb is started directly, so that neither `xvfb-run` nor `xauth` is needed and the free number is its own choice; in a
 * process group of its own, so that Ctrl+C does not take the display from under an app that is quitting.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} body
 * @param {NodeJS.ProcessEnv} [env] what `body` gets, with the display
 * @returns {Promise<T>}
 */
export async function withDisplay(body, env = process.env) {
  if (!needsDisplay()) return body(env)
  const server = spawn('/bin/sh', ['-c', DISPLAY_SERVER], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  })
  const closed = new Promise((resolve, reject) => server.once('close', resolve).once('error', reject))
  try {
    return await body({ ...env, DISPLAY: `:${await displayNumber(server)}` })
  } finally {
    server.stdin.end()
    await closed
  }
}
