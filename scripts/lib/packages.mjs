import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { npm, root, say, SetupError } from './run.mjs'

/**
 * Whether what is installed is what the lock file asks for. npm writes its own record of an installation last, so an
 * interrupted one does not fit. Optional packages may be absent (they are those of other systems), never different.
 * @param {Record<string, LockEntry>} wanted `packages` of package-lock.json
 * @param {Record<string, LockEntry>} installed `packages` of node_modules/.package-lock.json
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockEntry
 */
export function fitsLock(wanted, installed) {
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true
    const found = installed[name]
    if (found === undefined) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

async function packagesOf(file) {
  const text = await readFile(path.join(root, file), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : JSON.parse(text).packages
}

/**
 * Installs the locked packages unless they are there already.
 * @param {string} [folder] with a lock file of its own, relative to the checkout
 */
export async function ensurePackages(folder = '.') {
  const [wanted, installed] = await Promise.all([
    packagesOf(path.join(folder, 'package-lock.json')),
    packagesOf(path.join(folder, 'node_modules/.package-lock.json')),
  ])
  if (wanted === null) throw new SetupError('package-lock.json is missing: take a whole checkout.')
  if (installed !== null && fitsLock(wanted, installed)) return
  say(`Installing the locked packages (npm ci)${folder === '.' ? '' : ` of ${folder}`}, once.`)
  // A build machine may say "production"; the checks and the build need the development packages too. Warnings are about
  // engines and deprecations of packages of packages, which nobody who starts the app can do anything about.
  const where = folder === '.' ? [] : ['--prefix', path.join(root, folder)]
  const { status } = await npm(['ci', ...where, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (status !== 0) throw new SetupError(`npm ci ended with status ${status}: the packages could not be installed.`)
}
