// The app inside the stand-in runtime: `electron [flags] APPDIR [arguments]`, like Electron's own default app.
// The top-level await is wanted here: Electron's `ready` waits for this module, hence for the app's main module.
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { app } from 'electron'

const index = process.argv.findIndex((argument, position) => position > 0 && !argument.startsWith('-'))
if (index < 0) {
  process.stderr.write('usage: electron [flags] APPDIR [arguments]\n')
  process.exit(2)
}

const target = path.resolve(process.argv[index])
const manifest = statSync(target).isDirectory()
  ? JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'))
  : null
const main = manifest === null ? target : path.join(target, manifest.main ?? 'index.js')
if (manifest !== null) {
  app.setAppPath(target)
  const name = manifest.productName ?? manifest.name
  if (name) {
    app.name = name
    if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', path.join(app.getPath('appData'), name))
  }
  if (manifest.version) app.setVersion(manifest.version)
}

process.argv.splice(1, index, main)
const isModule = main.endsWith('.mjs') || (manifest?.type === 'module' && !main.endsWith('.cjs'))
if (isModule) await import(pathToFileURL(main).href)
else createRequire(main)(main)
