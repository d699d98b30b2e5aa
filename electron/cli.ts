import { readFileSync } from 'node:fs'
import path from 'node:path'

import { runCli } from './cli/run.ts'

/** Exit status after a signal, as shells count it. */
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const

async function main(): Promise<void> {
  const root = path.resolve(import.meta.dirname, '..', '..')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const abort = new AbortController()
  let bySignal: number | null = null
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      bySignal = SIGNAL_STATUS[name]
      abort.abort()
    })
  }
  const status = await runCli({
    args: process.argv.slice(2),
    env: process.env,
    root,
    version,
    fetch: globalThis.fetch,
    signal: abort.signal,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  })
  process.exitCode = bySignal ?? status
}

void main()
