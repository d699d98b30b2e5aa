import { spawn } from 'node:child_process'
import path from 'node:path'

import { cleanEnvironment } from './app.ts'

const BIN = path.resolve(import.meta.dirname, '../bin/reachy-mini-companion.mjs')

export interface CommandAnswer {
  /** `null`: ended by a signal. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Command {
  run(...args: string[]): Promise<CommandAnswer>
  /** With `--json`; the one document that it has to print. */
  json(...args: string[]): Promise<{ status: number | null; answer: Record<string, unknown> }>
}

/** The command line on a data directory, in an environment of its own: nothing of the developer's gets in. */
export function commandOn(dataDir: string, env: Readonly<Record<string, string>> = {}): Command {
  const run = async (...args: string[]): Promise<CommandAnswer> => {
    const child = spawn(process.execPath, [BIN, ...args, '--data-dir', dataDir], { env: cleanEnvironment(env) })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { status, stdout, stderr }
  }
  return {
    run,
    async json(...args) {
      const { status, stdout, stderr } = await run(...args, '--json')
      if (!stdout.endsWith('\n') || stdout.trimEnd().includes('\n')) {
        throw new Error(`not one line of JSON: ${stdout}\n${stderr}`)
      }
      return { status, answer: JSON.parse(stdout) as Record<string, unknown> }
    },
  }
}
