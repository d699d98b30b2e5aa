import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { root, say, SetupError, tool } from './run.mjs'

const SOURCES = [
  'electron',
  'renderer',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'tsconfig.base.json',
]
const STAMP = path.join(root, 'out', '.built')

function filesIn(entry) {
  if (!statSync(entry).isDirectory()) return [entry]
  return readdirSync(entry).flatMap((name) => filesIn(path.join(entry, name)))
}

/** Changes when any source was changed, added or taken away; tests are not part of the app. */
function fingerprint() {
  const hash = createHash('sha256')
  const files = SOURCES.map((name) => path.join(root, name))
    .filter(existsSync)
    .flatMap(filesIn)
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${path.relative(root, file)}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Builds the app. @returns {Promise<boolean>} whether it went well; a failing build leaves files, so only this counts. */
export async function build() {
  const before = fingerprint()
  await rm(path.join(root, 'out'), { recursive: true, force: true })
  const { status } = await tool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn'])
  if (status === 0) await writeFile(STAMP, before)
  return status === 0
}

/** Builds the app unless `out/` was built from just these sources. */
export async function ensureBuilt() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()) return
  say('Building the app.')
  if (!(await build())) throw new SetupError('The build failed.')
}
