import { utilityProcess } from 'electron'

import type { StartModule } from '../tools/index.ts'

/**
 * Starts a tool's host in a utility process: the packaged app cannot run itself as Node. What a tool starts by itself may
 * outlive it here, since a utility process leads no group.
 */
export const startModule: StartModule = ({ module, args, env, cwd, heap }) => {
  const child = utilityProcess.fork(module, [...args], {
    cwd,
    env,
    execArgv: [`--max-old-space-size=${heap}`],
    stdio: 'pipe',
    serviceName: 'Reachy Mini tool',
  })
  const exits = new Set<(code: number | null) => void>()
  let over = false
  child.on('exit', (code) => {
    over = true
    for (const listener of exits) listener(code)
  })

  return {
    get pid() {
      return child.pid
    },
    post(message) {
      if (!over) child.postMessage(message)
    },
    onMessage: (listener) => void child.on('message', listener),
    onOutput(listener) {
      child.stdout?.on('data', (bytes: Buffer) => listener('out', bytes.toString('utf8')))
      child.stderr?.on('data', (bytes: Buffer) => listener('error', bytes.toString('utf8')))
    },
    onExit: (listener) => void exits.add(listener),
    kill: () => void child.kill(),
  }
}
