import { fork } from 'node:child_process'

import type { StartModule } from '../tools/index.ts'

/**
 * Starts a tool's host in a Node process of its own. It leads a process group, where there are such, so that what it
 * started ends with it; and it ends by itself when this process is gone.
 */
export const startModule: StartModule = ({ module, args, env, cwd, heap }) => {
  const child = fork(module, [...args], {
    cwd,
    env,
    execArgv: [`--max-old-space-size=${heap}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'json',
    detached: process.platform !== 'win32',
  })
  const exits = new Set<(code: number | null) => void>()
  let over = false

  const kill = (): void => {
    if (child.pid === undefined || over) return
    try {
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // Gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  process.once('exit', kill)
  const end = (code: number | null): void => {
    if (over) return
    kill()
    over = true
    process.removeListener('exit', kill)
    for (const listener of exits) listener(code)
  }
  child.on('error', () => end(null))
  child.on('close', (code) => end(code))
  child.on('exit', (code) => setTimeout(() => end(code), 300).unref())

  return {
    get pid() {
      return child.pid
    },
    post(message) {
      if (child.connected) child.send(message as object, () => undefined)
    },
    onMessage: (listener) => void child.on('message', listener),
    onOutput(listener) {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => listener('out', text))
      child.stderr?.setEncoding('utf8').on('data', (text: string) => listener('error', text))
    },
    onExit: (listener) => void exits.add(listener),
    kill,
  }
}
