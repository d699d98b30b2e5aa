import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

import nodePty from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'

import { withOnlyStreams } from './only-streams.ts'

import type { ChildProcess } from 'node:child_process'

interface Terminal {
  readonly _master: { destroy(): void }
  readonly _slave: { destroy(): void }
}
const { open } = nodePty as unknown as { open: (options: { encoding: null }) => Terminal }

const listing = (start: (command: string, args: string[]) => ChildProcess): Promise<string> => {
  const { stdout } = start('ls', ['-l', '/proc/self/fd'])
  if (stdout === null) throw new Error('no stream')
  return text(stdout)
}

describe.skipIf(process.platform !== 'linux')('a program that is started', () => {
  it('is handed its three streams and none of our files', async () => {
    // Its descriptors are handed on to whatever is started, as those of a browser are.
    const terminal = open({ encoding: null })
    try {
      expect(await listing((command, args) => spawn(command, args, { stdio: 'pipe' }))).toContain('/dev/ptmx')
      const alone = await listing((command, args) => withOnlyStreams((stdio) => spawn(command, args, { stdio })))
      expect(alone).not.toContain('/dev/ptmx')
      expect(alone.match(/ [012] -> (?:socket|pipe):/g)).toHaveLength(3)
    } finally {
      terminal._slave.destroy()
      terminal._master.destroy()
    }
  })
})
