import { readFileSync } from 'node:fs'
import path from 'node:path'

import { runCli } from './cli/run.ts'

/** Exit status after a signal, as shells count it. */
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const

/** A terminal and npx each deliver the same Ctrl+C; signals closer than this, ms, are one. */
const SAME_SIGNAL_MS = 500

/** After its last word a command that was stopped ends within this time, ms. */
const LEFTOVERS_MS = 500

/**
 * Ends by the signal itself: `process.exit` waits for system calls in threads, and one that hangs would hold it for ever.
 * On Windows this ends the process all the same.
 */
function endBy(name: keyof typeof SIGNAL_STATUS): void {
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

/** A person is there when both the question and the answer go through a terminal. */
async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question, { signal })
  } finally {
    terminal.close()
  }
}

async function main(): Promise<void> {
  const root = path.resolve(import.meta.dirname, '..', '..')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const abort = new AbortController()
  const first: { signal?: keyof typeof SIGNAL_STATUS; at: number } = { at: 0 }
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (first.signal === undefined) {
        first.signal = name
        first.at = performance.now()
        abort.abort()
      } else if (performance.now() - first.at > SAME_SIGNAL_MS) endBy(name)
    })
  }
  const status = await runCli({
    args: process.argv.slice(2),
    env: process.env,
    root,
    version,
    fetch: globalThis.fetch,
    signal: abort.signal,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: askOnTerminal } : {}),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  })
  const { signal } = first
  process.exitCode = signal === undefined ? status : SIGNAL_STATUS[signal]
  if (signal !== undefined) setTimeout(() => endBy(signal), LEFTOVERS_MS).unref()
}

void main()
