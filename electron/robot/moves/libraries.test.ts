import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { startHub } from '../../../e2e/servers/hub.ts'
import { createHub } from '../../hub/index.ts'
import { F, newFrame } from '../kinematics/frame.ts'
import { restFrame } from '../kinematics/poses.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { createLibraries, LIBRARIES, wantedFiles } from './libraries.ts'
import { createMoveLibrary } from './library.ts'
import { writeRecording } from './recording.ts'

import type { RepositoryRecord, StandInHub } from '../../../e2e/servers/hub.ts'
import type { MoveLibraryState } from '../../contract/index.ts'
import type { Libraries } from './libraries.ts'

const [EMOTIONS, DANCES] = LIBRARIES

/** A turn of the head by `yaw` radians and back within a second. */
function move(yaw: number, description = 'Turns.'): string {
  const frames = Array.from({ length: 51 }, (_, k) => {
    const frame = restFrame()
    frame[F.yaw] = yaw * Math.sin((Math.PI * k) / 50) ** 2
    return frame
  })
  return writeRecording(description, frames, 0.02)
}

const emotions = (): RepositoryRecord => ({
  kind: 'datasets',
  id: EMOTIONS.dataset,
  large: ['cheerful1.wav'],
  files: {
    'README.md': '# moves',
    '.gitattributes': '*.wav filter=lfs',
    'cheerful1.json': move(0.3, 'Whistles.'),
    'cheerful1.wav': 'RIFF....WAVE',
    'yes1.json': move(0.2),
    'data/mini-deep-sleep.json': move(0.1),
    'data/mini-deep-sleep.ogg': 'OggS',
    'waiting.json': move(0.15),
    'broken1.json': '{"time": [0, 1',
  },
})

interface Bench {
  server: StandInHub
  libraries: Libraries
  dir: string
  log: ReturnType<typeof createTestLog>
  told: MoveLibraryState[]
  /** The same folder, as after a restart. */
  again: () => Libraries
  state: () => MoveLibraryState
}

async function bench(records: RepositoryRecord[] = [emotions()]): Promise<Bench> {
  const dir = mkdtempSync(path.join(tmpdir(), 'libraries-'))
  const server = await startHub({ repositories: records })
  const log = createTestLog()
  const limits = { headersMs: 400, idleMs: 100 }
  const hub = createHub({ endpoint: server.url, fetch, token: async () => null, version: '0', log, limits })
  const told: MoveLibraryState[] = []
  const make = (): Libraries => {
    const libraries = createLibraries({ dir, hub, log, onChange: () => told.push(libraries.list()[0]!) })
    return libraries
  }
  const libraries = make()
  onTestFinished(async () => {
    await libraries.dispose()
    hub.dispose()
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return { server, libraries, dir, log, told, again: make, state: () => libraries.list()[0]! }
}

const fetched = (server: StandInHub): string[] =>
  server.requests.flatMap(({ url }) => (url.startsWith('/datasets/') ? [path.posix.basename(url)] : []))

describe('a library of moves', () => {
  it('is not there until it is asked for, then plays without the Hub', async () => {
    const { server, libraries, state, told, again, log } = await bench()
    expect(libraries.list().map(({ id, state: is, moves }) => [id, is, moves])).toEqual([
      ['emotions', 'absent', 0],
      ['dances', 'absent', 0],
    ])
    expect(server.requests).toEqual([])
    await libraries.download('emotions')
    expect(state()).toMatchObject({ state: 'ready', moves: 4, revision: 'c'.repeat(40), resumable: false })
    expect(state().bytes).toBeGreaterThan(1000)
    expect(told.some(({ progress }) => progress !== undefined)).toBe(true)
    expect(fetched(server)).not.toContain('README.md')
    expect(log.lines.filter((line) => line.startsWith('warn')).join()).toContain('broken1.json')

    await server.close()
    const later = createMoveLibrary('/nowhere', createTestLog(), [again()])
    const infos = later.infos().filter(({ source }) => source === 'emotions')
    expect(infos.map(({ name, title, family, hasSound, clamped }) => [name, title, family, hasSound, clamped])).toEqual(
      [
        ['emotions:cheerful1', 'cheerful1', 'joy', true, false],
        ['emotions:mini-deep-sleep', 'mini-deep-sleep', 'other', true, false],
        ['emotions:waiting', 'waiting', 'other', false, false],
        ['emotions:yes1', 'yes1', 'calm', false, false],
      ],
    )
    expect(infos[0]).toMatchObject({ description: 'Whistles.', duration: 1 })
    expect(infos[0]?.amplitude.maxAngle).toBeCloseTo(0.3, 2)
    expect(later.trajectory('emotions:yes1').frames).toHaveLength(51 * 9)
    expect(later.get('emotions:cheerful1').sound).toMatchObject({ type: 'audio/wav' })
    expect(existsSync(later.get('emotions:cheerful1').sound?.file ?? '')).toBe(true)
  })

  it('beside the starter moves: each under its own name, a feeling takes the recorded one', async () => {
    const { libraries } = await bench()
    const starter = path.join(import.meta.dirname, '../../../resources/moves')
    const library = createMoveLibrary(starter, createTestLog(), [libraries])
    expect(library.emotionCalled('yes1')).toBe('yes1')
    await libraries.download('emotions')
    expect(library.get('yes1').source).toBeUndefined()
    expect(library.get('emotions:yes1').source).toBe('emotions')
    expect(library.emotionCalled('yes1')).toBe('emotions:yes1')
    expect(library.emotionCalled('no1')).toBe('no1')
    expect(library.get('cheerful1').name).toBe('emotions:cheerful1')
    const names = library.infos().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    await libraries.remove('emotions')
    expect(() => library.get('emotions:yes1')).toThrowError(expect.objectContaining({ code: 'robot/unknown-move' }))
    expect(library.emotionCalled('yes1')).toBe('yes1')
  })

  it('keeps to the commit that it was fetched at, until a newer one is asked for', async () => {
    const record = emotions()
    const { server, libraries, state, dir } = await bench([record])
    await libraries.download('emotions')
    record.revision = 'd'.repeat(40)
    record.files['proud1.json'] = move(0.2)
    const before = server.requests.length
    await libraries.download('emotions')
    expect(state()).toMatchObject({ state: 'ready', revision: 'c'.repeat(40), moves: 4 })
    expect(server.requests).toHaveLength(before)
    await libraries.download('emotions', { newest: true })
    expect(state()).toMatchObject({ revision: 'd'.repeat(40), moves: 5 })
    expect(state().problem).toBeUndefined()
    expect(readdirSync(path.join(dir, 'emotions')).sort()).toEqual(['current.json', 'd'.repeat(40)])
  })

  it('goes on with what the dataset is now, where the commit of a begun download is gone', async () => {
    const record = emotions()
    const { server, libraries, state } = await bench([record])
    server.fault('http500', { path: 'yes1' })
    await expect(libraries.download('emotions')).rejects.toMatchObject({ code: 'hub/error' })
    server.fault(null)
    record.revision = 'd'.repeat(40)
    await libraries.download('emotions')
    expect(state()).toMatchObject({ state: 'ready', revision: 'd'.repeat(40) })
  })

  it('two asks are one download', async () => {
    const { server, libraries } = await bench()
    await Promise.all([libraries.download('emotions'), libraries.download('emotions')])
    expect(fetched(server).filter((name) => name === 'yes1.json')).toHaveLength(1)
  })

  it('cancelled, it goes on later from what arrived', async () => {
    const { server, libraries, state, dir, again } = await bench()
    server.fault('slow-headers', { path: 'waiting.json' })
    const download = libraries.download('emotions')
    await expect.poll(() => fetched(server)).toContain('waiting.json')
    await expect.poll(() => existsSync(path.join(dir, 'emotions', `part-${'c'.repeat(40)}`, 'yes1.json'))).toBe(true)
    libraries.cancel('emotions')
    await expect(download).rejects.toMatchObject({ code: 'app/cancelled' })
    expect(state()).toMatchObject({ state: 'absent', resumable: true })
    expect(state().problem).toBeUndefined()
    server.fault(null)
    server.requests.length = 0
    const later = again()
    expect(later.list()[0]).toMatchObject({ resumable: true })
    await later.download('emotions')
    expect(fetched(server)).not.toContain('yes1.json')
    expect(fetched(server)).toContain('waiting.json')
    expect(later.list()[0]).toMatchObject({ state: 'ready', moves: 4 })
  })

  it.each([
    ['html', 'hub/error'],
    ['html200', 'hub/error'],
    ['rate-limited', 'hub/rate-limited'],
    ['offline', 'hub/offline'],
    ['http500', 'hub/error'],
  ] as const)('when the Hub answers %s: %s is said, and the next try mends it', async (fault, code) => {
    const { server, libraries, state } = await bench()
    server.fault(fault, { path: 'cheerful1', seconds: 1 })
    await expect(libraries.download('emotions')).rejects.toMatchObject({ code })
    expect(state()).toMatchObject({ state: 'absent', resumable: true, problem: { code } })
    server.fault(null)
    if (fault === 'rate-limited') return
    await libraries.download('emotions')
    expect(state()).toMatchObject({ state: 'ready', moves: 4 })
    expect(state().problem).toBeUndefined()
  })

  it('a file that arrives spoiled is not kept, what is there stays', async () => {
    const record = emotions()
    const { libraries, state } = await bench([record])
    await libraries.download('emotions')
    Object.assign(record, { revision: 'd'.repeat(40), spoiled: { 'yes1.json': move(1) } })
    await expect(libraries.download('emotions', { newest: true })).rejects.toMatchObject({ code: 'library/damaged' })
    expect(state()).toMatchObject({ state: 'ready', revision: 'c'.repeat(40), moves: 4 })
    expect(state().problem).toMatchObject({ code: 'library/damaged', details: { path: 'yes1.json' } })
  })

  it('that is not on the Hub, or holds no moves, is said', async () => {
    const { libraries } = await bench([
      { kind: 'datasets', id: DANCES.dataset, files: { 'README.md': 'x', 'a.json': '{}' } },
    ])
    await expect(libraries.download('emotions')).rejects.toMatchObject({ code: 'library/not-found' })
    await expect(libraries.download('dances')).rejects.toMatchObject({ code: 'library/no-moves' })
    await expect(libraries.download('nope')).rejects.toMatchObject({ code: 'library/unknown' })
  })

  it('a file that changed on the disk is refused when it is played, not played', async () => {
    const { libraries, dir, again } = await bench()
    await libraries.download('emotions')
    writeFileSync(path.join(dir, 'emotions', 'c'.repeat(40), 'yes1.json'), move(2))
    const yes = again()
      .moves()
      .find(({ name }) => name === 'emotions:yes1')
    expect(() => yes?.sample(0, newFrame())).toThrowError(expect.objectContaining({ code: 'library/damaged' }))
    rmSync(path.join(dir, 'emotions', 'c'.repeat(40), 'waiting.json'))
    const waiting = again()
      .moves()
      .find(({ name }) => name === 'emotions:waiting')
    expect(() => waiting?.sample(0, newFrame())).toThrowError(expect.objectContaining({ code: 'move/unreadable' }))
  })

  it.each(['', '{', '{"version":9}', 'null'])('an index that is %j is as none: fetched anew', async (text) => {
    const { libraries, dir, again } = await bench()
    await libraries.download('emotions')
    writeFileSync(path.join(dir, 'emotions', 'c'.repeat(40), 'index.json'), text)
    const later = again()
    expect(later.list()[0]).toMatchObject({ state: 'absent', moves: 0 })
    await later.download('emotions')
    expect(later.list()[0]).toMatchObject({ state: 'ready', moves: 4 })
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a folder that cannot be written', async () => {
    const { libraries, dir, state } = await bench()
    chmodSync(dir, 0o500)
    await expect(libraries.download('emotions')).rejects.toMatchObject({ code: 'storage/failed' })
    expect(state().problem).toMatchObject({ code: 'storage/failed' })
    chmodSync(dir, 0o700)
    await libraries.download('emotions')
    expect(state()).toMatchObject({ state: 'ready' })
  })

  it('a file where the folder should be', async () => {
    const { libraries, dir } = await bench()
    writeFileSync(path.join(dir, 'emotions'), 'x')
    await expect(libraries.download('emotions')).rejects.toMatchObject({ code: 'storage/failed' })
  })

  it('is gone when it is removed, also in the middle of a download', async () => {
    const { server, libraries, state, dir } = await bench()
    server.fault('slow-headers', { path: 'waiting.json' })
    const download = libraries.download('emotions').catch((error: unknown) => error)
    await expect.poll(() => fetched(server)).toContain('waiting.json')
    await libraries.remove('emotions')
    expect(await download).toMatchObject({ code: 'app/cancelled' })
    expect(state()).toMatchObject({ state: 'absent', resumable: false })
    expect(existsSync(path.join(dir, 'emotions'))).toBe(false)
  })
})

describe('files that are wanted', () => {
  const file = (name: string, bytes = 10): { path: string; bytes: number; digest: string } => ({
    path: name,
    bytes,
    digest: '0'.repeat(40),
  })

  it('are moves and their sounds, at the root or in data/, by plain names', () => {
    const names = ['a.json', 'a.wav', 'data/b-1.json', 'data/b-1.ogg', 'mini_x.json']
    const others = [
      ...['../c.json', 'data/../d.json', '.e.json', 'f g.json', 'x/h.json', 'data/x/i.json', 'j.JSON', 'k.json.exe'],
      ...[
        'a.png',
        'lonely.wav',
        'data/a.wav',
        'C:\\l.json',
        'data\\m.json',
        '/n.json',
        'ö.json',
        `${'o'.repeat(99)}.json`,
      ],
    ]
    const wanted = wantedFiles({ revision: '', files: [...names, ...others].map((name) => file(name)) }, 'x/y')
    expect(wanted.map((one) => one.path).sort()).toEqual([...names].sort())
  })

  it('are not more than a library may have', () => {
    const many = Array.from({ length: 2001 }, (_, i) => file(`m${i}.json`))
    expect(() => wantedFiles({ revision: '', files: many }, 'x/y')).toThrowError(
      expect.objectContaining({ code: 'library/too-large' }),
    )
    const heavy = Array.from({ length: 40 }, (_, i) => file(`m${i}.json`, 30_000_000))
    expect(() => wantedFiles({ revision: '', files: heavy }, 'x/y')).toThrowError(
      expect.objectContaining({ code: 'library/too-large' }),
    )
    expect(wantedFiles({ revision: '', files: [file('a.json'), file('b.json', 9e9)] }, 'x/y')).toHaveLength(1)
  })
})
