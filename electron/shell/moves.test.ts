import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { startHub } from '../../e2e/servers/hub.ts'
import { createCompanion } from '../companion.ts'
import { EVENTS, ROUTES } from '../contract/index.ts'

import { createHandlers, forwardEvents } from './handlers.ts'

import type { RepositoryRecord } from '../../e2e/servers/hub.ts'
import type { EventName, MoveShelfState, RouteName, RouteRequest, RouteResponse, Secrets } from '../contract/index.ts'
import type { Desktop } from './handlers.ts'

const root = path.join(import.meta.dirname, '../..')
const quiet = (): void => undefined
const noSecrets: Secrets = {
  get: async () => null,
  state: async () => 'absent',
  set: async () => 'absent',
  clear: async () => undefined,
  protection: 'none',
}

interface House {
  ask: <R extends RouteName>(route: R, request: RouteRequest<R>) => Promise<RouteResponse<R>>
  /** Where the dialogs point. */
  chosen: { file: string | null; folder: string | null; save: string | null }
  events: [EventName, unknown][]
  dir: string
}

/** The rooms behind the handlers of the window; requests and answers pass their schemas as in the router. */
async function house(repositories: RepositoryRecord[] = []): Promise<House> {
  const dir = mkdtempSync(path.join(tmpdir(), 'moves-routes-'))
  const server = await startHub({ repositories })
  const companion = await createCompanion({
    dataDir: path.join(dir, 'data'),
    version: '0',
    resourcesDir: path.join(root, 'resources'),
    toolHostsDir: path.join(root, 'resources/tool-hosts'),
    shippedProfilesDir: path.join(root, 'profiles'),
    fetch,
    secrets: noSecrets,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    env: { HF_ENDPOINT: server.url },
    systemLanguage: 'en',
    home: dir,
    cwd: dir,
    wakeAtStart: false,
  })
  const chosen: House['chosen'] = { file: null, folder: null, save: null }
  const desktop = {
    chooseFile: async () => chosen.file,
    chooseFolder: async () => chosen.folder,
    chooseSave: async () => chosen.save,
  } as unknown as Desktop
  const handlers = createHandlers(companion, desktop)
  const events: House['events'] = []
  const stop = forwardEvents(companion, (event, payload) => events.push([event, EVENTS[event].parse(payload)]))
  onTestFinished(async () => {
    stop()
    await companion.dispose()
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  await companion.robot.start()
  return {
    chosen,
    events,
    dir,
    async ask(route, request) {
      const parsed = ROUTES[route].request.parse(request) as never
      return ROUTES[route].response.parse(await handlers[route](parsed)) as never
    },
  }
}

describe('moves through the window’s routes', () => {
  it('export, import, sound, rename, remove, undo', async () => {
    const { ask, chosen, dir, events } = await house()
    expect(await ask('moves.export', { name: 'yes1', format: 'recorded-move' })).toEqual({ path: null })
    chosen.save = path.join(dir, 'yes.json')
    expect(await ask('moves.export', { name: 'yes1', format: 'recorded-move' })).toEqual({ path: chosen.save })
    expect(JSON.parse(readFileSync(chosen.save, 'utf8'))).toHaveProperty('set_target_data')
    chosen.save = path.join(dir, 'yes.lerobot.json')
    await ask('moves.export', { name: 'yes1', format: 'lerobot' })
    expect(JSON.parse(readFileSync(chosen.save, 'utf8'))).toMatchObject({ info: { robot_type: 'reachy_mini' } })

    expect(await ask('moves.import', { from: 'file' })).toEqual({ result: null })
    chosen.file = path.join(dir, 'yes.json')
    writeFileSync(path.join(dir, 'yes.wav'), 'RIFF')
    expect((await ask('moves.import', { from: 'file' })).result).toMatchObject({ imported: ['mine:yes'], problems: [] })
    expect((await ask('moves.sound', { name: 'mine:yes' })).sound).toEqual({
      type: 'audio/wav',
      base64: Buffer.from('RIFF').toString('base64'),
    })
    expect(await ask('moves.sound', { name: 'yes1' })).toEqual({ sound: null })
    const mine = async (): Promise<string[]> =>
      (await ask('robot.moves', {})).moves.flatMap(({ name, source }) => (source === 'imported' ? [name] : []))
    expect(await mine()).toEqual(['mine:yes'])
    const { name } = await ask('moves.rename', { name: 'mine:yes', to: 'Oui oui' })
    expect(await mine()).toEqual(['mine:oui-oui'])
    const { undoId } = await ask('moves.remove', { name })
    expect(await mine()).toEqual([])
    await ask('moves.undo', { undoId })
    expect(await mine()).toEqual(['mine:oui-oui'])
    expect(events.some(([event]) => event === 'moves.changed')).toBe(true)
    mkdirSync(path.join(dir, 'empty'))
    chosen.folder = path.join(dir, 'empty')
    expect((await ask('moves.import', { from: 'folder', kind: 'dance' })).result).toEqual({
      imported: [],
      problems: [],
    })
  })

  it('a library: its state by events, its moves in the list, and off again', async () => {
    const first = await house()
    first.chosen.save = path.join(first.dir, 'm.json')
    await first.ask('moves.export', { name: 'no1', format: 'recorded-move' })
    const files = { 'proud1.json': readFileSync(first.chosen.save, 'utf8'), 'proud1.wav': 'RIFF' }
    const id = 'pollen-robotics/reachy-mini-emotions-library'
    const { ask, events } = await house([{ kind: 'datasets', id, files }])
    expect((await ask('moves.shelf', {})).libraries.map((one) => [one.id, one.state])).toEqual([
      ['emotions', 'absent'],
      ['dances', 'absent'],
    ])
    expect((await ask('moves.download', { id: 'emotions' })).libraries[0]?.progress).toBeDefined()
    const told = (): MoveShelfState[] =>
      events.flatMap(([event, payload]) => (event === 'moves.changed' ? [payload as MoveShelfState] : []))
    await expect.poll(() => told().at(-1)?.libraries[0]?.state).toBe('ready')
    const proud = (await ask('robot.moves', {})).moves.find(({ name }) => name === 'emotions:proud1')
    expect(proud).toMatchObject({ title: 'proud1', source: 'emotions', hasSound: true, family: 'joy' })
    expect((await ask('robot.trajectory', { move: 'emotions:proud1' })).frames.length).toBeGreaterThan(400)
    expect((await ask('moves.download', { id: 'dances' })).libraries[1]?.progress).toBeDefined()
    await expect.poll(() => told().at(-1)?.libraries[1]?.problem?.code).toBe('library/not-found')
    await ask('moves.removeLibrary', { id: 'emotions' })
    expect((await ask('robot.moves', {})).moves.some(({ source }) => source === 'emotions')).toBe(false)
    await ask('moves.download', { id: 'nope' })
    await expect(ask('moves.removeLibrary', { id: 'nope' })).rejects.toMatchObject({ code: 'library/unknown' })
  })

  it('a recording begins, ends, and is refused where there is none', async () => {
    const { ask } = await house()
    await expect(ask('moves.recorded', {})).rejects.toMatchObject({ code: 'move/no-recording' })
    await expect(ask('moves.record', { action: 'play' })).rejects.toMatchObject({ code: 'move/no-recording' })
    await ask('moves.record', { action: 'start' })
    await expect.poll(async () => (await ask('moves.shelf', {})).recording.state).toBe('recording')
    expect((await ask('robot.state', {})).activity.kind).toBe('by-hand')
    await ask('moves.record', { action: 'stop' })
    await expect(ask('moves.keep', { name: 'x' })).rejects.toMatchObject({ code: 'move/no-recording' })
    expect(await ask('moves.record', { action: 'discard' })).toMatchObject({ state: 'none' })
  })
})
