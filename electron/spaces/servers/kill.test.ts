/** What is left on the disk by a real process that was killed with SIGKILL while it added or removed a server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startSpace, text } from '../../../e2e/servers/space.ts'
import { createStorage } from '../../storage/index.ts'

import type { StandInSpace } from '../../../e2e/servers/space.ts'
import type { Log } from '../../contract/index.ts'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const room = (name: string): string => JSON.stringify(path.resolve(import.meta.dirname, '../..', name, 'index.ts'))

/** Adds or removes one server, and kills itself before a step of the transaction on the disk. */
const CHILD = `
import { createMcp } from ${room('mcp')}
import { createProfiles } from ${room('profiles')}
import { createServers } from ${room('spaces')}
import { createStorage } from ${room('storage')}
const [dir, url, what, killAt] = process.argv.slice(2)
const log = { debug() {}, info() {}, warn() {}, error() {} }
let armed = false
const faults = (step) => { if (armed && step === killAt) process.kill(process.pid, 'SIGKILL') }
const storage = await createStorage({ dataDir: dir + '/data', log, faults })
const profiles = createProfiles({ storage, shippedDir: dir + '/shipped', choice: { get: async () => null, set: async () => {} }, log })
const mcp = createMcp({ fetch, version: '0', log })
const secrets = { protection: 'none', get: async () => null, state: async () => 'absent', set: async () => 'ok', clear: async () => {} }
const servers = createServers({ storage, mcp, profiles, secrets, env: {}, aliases: async () => [], log })
if (what === 'add') {
  await servers.preview('p', { name: 'a', target: { kind: 'http', url } })
  armed = true
  await servers.install('p', ['a__look'], ['default'])
} else {
  armed = true
  await servers.remove('a')
}
process.exit(0)
`

let root: string
let child: string
let server: StandInSpace

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'servers-kill-'))
  writeFileSync(path.join(root, 'entry.js'), CHILD)
  await build({
    configFile: false,
    logLevel: 'silent',
    root: path.resolve(import.meta.dirname, '../../..'),
    build: { ssr: path.join(root, 'entry.js'), outDir: path.join(root, 'out'), emptyOutDir: false },
    ssr: { noExternal: true },
  })
  writeFileSync(path.join(root, 'out/package.json'), '{"type":"module"}')
  child = path.join(root, 'out/entry.js')
  const inputSchema = { type: 'object' }
  server = await startSpace({ tools: [{ name: 'look', description: 'Looks.', inputSchema, run: () => text('ok') }] })
  const start = path.join(root, 'start')
  mkdirSync(path.join(start, 'shipped/default'), { recursive: true })
  mkdirSync(path.join(start, 'data'))
  writeFileSync(path.join(start, 'shipped/default/tools.txt'), 'dance\n')
  writeFileSync(path.join(start, 'shipped/default/instructions.txt'), 'Be kind.\n')
  cpSync(start, path.join(root, 'added'), { recursive: true })
  expect(await run(path.join(root, 'added'), 'add', 'never')).toEqual([0, null])
}, 120_000)

afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

async function run(dir: string, what: 'add' | 'remove', killAt: string): Promise<[number | null, string | null]> {
  const running = spawn(process.execPath, [child, dir, server.mcpUrl, what, killAt], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return (await once(running, 'exit')) as [number | null, string | null]
}

/** Which of the three files know the server. */
function knowing(dir: string): boolean[] {
  const names = ['data/mcp_servers.json', 'data/mcp_server_pins.json', 'data/profiles/default/tools.txt']
  return names.map((name) => {
    const file = path.join(dir, name)
    if (!existsSync(file)) return false
    const content = readFileSync(file, 'utf8')
    if (name.endsWith('.json')) return (JSON.parse(content) as { servers: unknown[] }).servers.length > 0
    return content.split('\n').includes('a__look')
  })
}

const STEPS = [
  'journal:write',
  'journal:rename',
  'apply:0:temp',
  'apply:0:place',
  'apply:1:temp',
  'apply:1:place',
  'apply:2:temp',
  'apply:2:place',
  'after:sync',
  'journal:remove',
]

describe.each(['add', 'remove'] as const)('killed while it would %s a server', (what) => {
  it.each(STEPS)(
    'before %s: list, approvals and profile all old or all new',
    async (step) => {
      const dir = path.join(root, `${what}-${step.replaceAll(':', '-')}`)
      cpSync(path.join(root, what === 'add' ? 'start' : 'added'), dir, { recursive: true })
      expect(await run(dir, what, step)).toEqual([null, 'SIGKILL'])
      const storage = await createStorage({ dataDir: path.join(dir, 'data'), log: silent })
      const written = step !== 'journal:write' && step !== 'journal:rename'
      expect(knowing(dir)).toEqual(Array(3).fill((what === 'add') === written))
      await storage.dispose()
    },
    30_000,
  )
})
