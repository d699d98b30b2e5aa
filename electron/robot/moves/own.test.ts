import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createStorage } from '../../storage/index.ts'
import { F } from '../kinematics/frame.ts'
import { restFrame } from '../kinematics/poses.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { createMoveLibrary } from './library.ts'
import { createOwnMoves, titleFrom } from './own.ts'
import { RECORDING_LIMITS, writeRecording } from './recording.ts'

import type { OwnMoves } from './own.ts'

function text(yaw = 0.3, description = 'Turns.'): string {
  const frames = Array.from({ length: 51 }, (_, k) => {
    const frame = restFrame()
    frame[F.yaw] = yaw * Math.sin((Math.PI * k) / 50) ** 2
    return frame
  })
  return writeRecording(description, frames, 0.02)
}
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value)

interface Bench {
  own: OwnMoves
  /** As after a restart. */
  again: () => OwnMoves
  /** `moves/` of the data directory. */
  kept: string
  /** A folder of the person's. */
  folder: string
  log: ReturnType<typeof createTestLog>
  names: () => string[]
}

async function bench(): Promise<Bench> {
  const root = mkdtempSync(path.join(tmpdir(), 'own-'))
  const log = createTestLog()
  const storage = await createStorage({ dataDir: path.join(root, 'data'), log })
  onTestFinished(async () => {
    await storage.dispose()
    rmSync(root, { recursive: true, force: true })
  })
  const folder = path.join(root, 'theirs')
  mkdirSync(folder)
  const again = (): OwnMoves => createOwnMoves({ storage, log, onChange: () => undefined })
  const own = again()
  return {
    own,
    again,
    kept: path.join(root, 'data', 'moves'),
    folder,
    log,
    names: () => own.moves().map(({ name }) => name),
  }
}

const recorded = (title: string, yaw = 0.3): Parameters<OwnMoves['add']>[0] => ({
  title,
  kind: 'emotion',
  source: 'recorded',
  bytes: bytes(text(yaw)),
})

describe('the name of a move', () => {
  it.each([
    ['Hello', 'hello'],
    ['  good   morning ', 'good-morning'],
    ['Ça va', 'ça-va'],
    ['你好', '你好'],
    ['a_b-1', 'a_b-1'],
  ])('%j becomes %j', (given, title) => expect(titleFrom(given)).toBe(title))

  it.each([
    '',
    ' ',
    '-a',
    '../x',
    'a/b',
    'a\\b',
    'a:b',
    'a.b',
    'con',
    'NUL',
    'com1',
    'moves',
    '💃',
    'x'.repeat(61),
    'a\u0000b',
  ])('%j is none', (given) =>
    expect(() => titleFrom(given)).toThrowError(expect.objectContaining({ code: 'move/bad-name' })),
  )
})

describe('own moves', () => {
  it('are kept, played, and there after a restart', async () => {
    const { own, again, kept } = await bench()
    expect(await own.add(recorded('Hello there'))).toMatchObject({ name: 'mine:hello-there' })
    expect(readdirSync(kept).sort()).toEqual(['hello-there.json', 'moves.json'])
    const library = createMoveLibrary('/nowhere', createTestLog(), [again()])
    const info = library.infos().find(({ source }) => source === 'recorded')
    expect(info).toMatchObject({ name: 'mine:hello-there', title: 'hello-there', family: 'other', duration: 1 })
    expect(library.trajectory('mine:hello-there').frames[25 * 9 + F.yaw]).toBeCloseTo(0.3, 4)
    await expect(own.add(recorded('hello  THERE'))).rejects.toMatchObject({ code: 'move/exists' })
    await expect(own.add({ ...recorded('x'), bytes: bytes('{') })).rejects.toMatchObject({ code: 'move/unreadable' })
  })

  it('are renamed and removed with their sounds, each undone by itself and in any order', async () => {
    const { own, kept, names } = await bench()
    await own.add({ ...recorded('a'), sound: { ending: 'wav', bytes: bytes('RIFF') } })
    await own.add(recorded('b'))
    const renamed = await own.rename('mine:a', 'Alpha')
    expect(names()).toEqual(['mine:alpha', 'mine:b'])
    expect(readdirSync(kept).sort()).toEqual(['alpha.json', 'alpha.wav', 'b.json', 'moves.json'])
    expect(own.moves()[0]?.sound?.file).toBe(path.join(kept, 'alpha.wav'))
    const removed = await own.remove('mine:b')
    expect(names()).toEqual(['mine:alpha'])
    await own.undo(renamed.undoId)
    expect(names()).toEqual(['mine:a'])
    await own.undo(removed.undoId)
    expect(names()).toEqual(['mine:a', 'mine:b'])
    expect(readFileSync(path.join(kept, 'a.wav'), 'utf8')).toBe('RIFF')
    await expect(own.undo(removed.undoId)).rejects.toMatchObject({ code: 'app/cancelled' })
  })

  it('an undo does not run over what came after', async () => {
    const { own, names } = await bench()
    await own.add(recorded('a'))
    const removed = await own.remove('mine:a')
    await own.add(recorded('a', 0.1))
    await expect(own.undo(removed.undoId)).rejects.toMatchObject({ code: 'move/exists' })
    await own.rename('mine:a', 'b')
    await own.undo(removed.undoId)
    expect(names()).toEqual(['mine:a', 'mine:b'])
  })

  it('refuse what is not theirs', async () => {
    const { own } = await bench()
    await own.add(recorded('a'))
    await own.add(recorded('b'))
    await expect(own.rename('yes1', 'x')).rejects.toMatchObject({ code: 'move/not-yours' })
    await expect(own.remove('emotions:yes1')).rejects.toMatchObject({ code: 'move/not-yours' })
    await expect(own.rename('mine:a', 'b')).rejects.toMatchObject({ code: 'move/exists' })
    await expect(own.rename('mine:a', '../b')).rejects.toMatchObject({ code: 'move/bad-name' })
  })

  it('a list that is broken is set aside, and the files stay', async () => {
    const { own, again, kept, log } = await bench()
    await own.add(recorded('a'))
    writeFileSync(path.join(kept, 'moves.json'), '{"version":1,"moves":[{"title":"../../x"}]}')
    const later = again()
    expect(later.moves()).toEqual([])
    expect(log.lines.join()).toContain('cannot be read')
    await later.add(recorded('b'))
    expect(later.moves().map(({ name }) => name)).toEqual(['mine:b'])
    expect(readdirSync(kept).some((name) => name.startsWith('moves.json.bad-'))).toBe(true)
    expect(existsSync(path.join(kept, 'a.json'))).toBe(true)
  })
})

describe('import', () => {
  it('takes a folder: moves, their sounds, moves in data/; what is broken is told beside', async () => {
    const { own, folder, names } = await bench()
    mkdirSync(path.join(folder, 'data'))
    writeFileSync(path.join(folder, 'Wave.json'), text(0.2, 'Waves.'))
    writeFileSync(path.join(folder, 'Wave.ogg'), 'OggS')
    writeFileSync(path.join(folder, 'Wave.wav'), 'RIFF')
    writeFileSync(path.join(folder, 'data', 'wave.json'), text(0.1))
    writeFileSync(path.join(folder, 'cut.json'), text().slice(0, 900))
    writeFileSync(path.join(folder, 'huge.json'), '')
    truncateSync(path.join(folder, 'huge.json'), RECORDING_LIMITS.bytes + 1)
    writeFileSync(path.join(folder, 'con.json'), text())
    writeFileSync(path.join(folder, 'notes.txt'), 'x')
    writeFileSync(path.join(folder, 'nan.json'), text().replace('"antennas":[-0.1745', '"antennas":[NaN'))
    const { imported, problems, undoId } = await own.import(folder, 'dance')
    expect(imported.sort()).toEqual(['mine:nan', 'mine:wave', 'mine:wave-2'])
    expect(problems.map(({ file, code }) => [file, code]).sort()).toEqual([
      ['con.json', 'move/bad-name'],
      ['cut.json', 'move/unreadable'],
      ['huge.json', 'move/too-large'],
    ])
    const wave = own.moves().find(({ name }) => name === 'mine:wave')
    expect(wave).toMatchObject({ kind: 'dance', family: 'dance', source: 'imported', description: 'Waves.' })
    expect(path.basename(wave?.sound?.file ?? '')).toBe('wave.wav')
    expect(own.moves().find(({ name }) => name === 'mine:nan')?.notes).toEqual(['samples-left-out'])
    await own.undo(undoId ?? '')
    expect(names()).toEqual([])
  })

  it('takes one file, a second time under a number', async () => {
    const { own, folder } = await bench()
    const file = path.join(folder, 'wave.json')
    writeFileSync(file, text())
    expect((await own.import(file, 'emotion')).imported).toEqual(['mine:wave'])
    expect((await own.import(file, 'emotion')).imported).toEqual(['mine:wave-2'])
    expect(await own.import(folder, 'emotion')).toMatchObject({ imported: ['mine:wave-3'], problems: [] })
  })

  it('of what is not there, or holds nothing', async () => {
    const { own, folder } = await bench()
    await expect(own.import(path.join(folder, 'no'), 'emotion')).rejects.toMatchObject({ code: 'storage/failed' })
    expect(await own.import(folder, 'emotion')).toEqual({ imported: [], problems: [] })
  })
})
