import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { afterEach, describe, expect, it } from 'vitest'

import { writeDemoFiles } from './demo-files.ts'

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/demo.mjs')

let child: ChildProcess | null = null

afterEach(() => {
  child?.kill('SIGKILL')
  child = null
})

function demo(...args: string[]): ChildProcess {
  child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  return child
}

async function environmentOf(running: ChildProcess): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  if (running.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: running.stdout })) {
    const [, name = '', value = ''] = /^export (\w+)=(.*)$/.exec(line) ?? []
    found[name] = value
    if (name === 'REACHY_MINI_COMPANION_MODEL') break
  }
  return found
}

describe('scripts/demo.mjs', () => {
  it('loads the servers in plain Node, tells where they are, ends when interrupted', async () => {
    const running = demo('--servers-only')
    const environment = await environmentOf(running)
    const spaces = (await (await fetch(`${environment['HF_ENDPOINT']}/api/spaces`)).json()) as unknown[]
    expect(spaces.length).toBeGreaterThan(10)
    const models = (await (await fetch(`${environment['OPENAI_BASE_URL']}/models`)).json()) as unknown
    expect(models).toMatchObject({ data: [{ id: environment['REACHY_MINI_COMPANION_MODEL'] }] })
    const ended = once(running, 'exit')
    running.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    await expect(fetch(`${environment['HF_ENDPOINT']}/api/spaces`)).rejects.toThrow('fetch failed')
  })

  it('refuses what it does not know', async () => {
    const running = demo('--nonsense')
    expect(await once(running, 'exit')).toEqual([2, null])
  })
})

describe('the examples of the demo', () => {
  it('are written once, and what a person changed in them stays', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'demo-files-'))
    try {
      expect(await writeDemoFiles(dataDir)).toBe(path.join(dataDir, 'to-import'))
      const tool = path.join(dataDir, 'external_tools/roll_dice.mjs')
      await writeFile(tool, '// mine\n')
      await writeDemoFiles(dataDir)
      expect(await readFile(tool, 'utf8')).toBe('// mine\n')
      expect(await readFile(path.join(dataDir, 'to-import/river_walk/profile.md'), 'utf8')).toMatch(/^\+\+\+\n/)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
