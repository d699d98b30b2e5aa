#!/usr/bin/env node
// Starts the built command line. A committed file of its own: npx links it once, and a build output would lose its
// executable bit at each build.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cli = new URL('../out/main/cli.js', import.meta.url)

if (existsSync(fileURLToPath(cli))) {
  await import(cli.href)
} else if (process.argv.includes('--json')) {
  const error = {
    code: 'app/internal',
    message: 'The command line is not built yet.',
    hint: 'npm run build builds it.',
  }
  process.stdout.write(`${JSON.stringify({ ok: false, error })}\n`)
  process.exitCode = 1
} else {
  process.stderr.write('The command line is not built yet.\n`npm run build` builds it.\n')
  process.exitCode = 1
}
