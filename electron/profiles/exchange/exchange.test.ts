import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { unzipSync, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { CompanionError } from '../../contract/index.ts'
import { createStorage } from '../../storage/index.ts'
import { createProfiles } from '../profiles.ts'

import { safeName } from './candidates.ts'
import { refusalOf } from './entries.ts'
import { createExchange } from './exchange.ts'

import type { ImportPreview, Log } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Profiles } from '../types.ts'
import type { Exchange, FetchRepository } from './types.ts'

const quiet = (): void => undefined
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

let root: string
let storage: Storage
let profiles: Profiles
let exchange: Exchange
let repository: FetchRepository

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'exchange-'))
  repository = () => Promise.reject(new CompanionError('space/not-found', { slug: 'x' }))
  storage = await createStorage({ dataDir: at('data'), log })
  profiles = createProfiles({
    storage,
    shippedDir: path.resolve(import.meta.dirname, '../../../profiles'),
    choice: { get: async () => null, set: async () => undefined },
    log,
  })
  exchange = createExchange({ profiles, storage, repository: (...args) => repository(...args), log })
})

afterEach(async () => {
  exchange.dispose()
  profiles.dispose()
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

const at = (...parts: string[]): string => path.join(root, ...parts)
function put(files: Record<string, string | Uint8Array>, base = at('in')): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true })
    writeFileSync(path.join(base, name), content)
  }
  return base
}
const pickAll = (preview: ImportPreview, more: object = {}) =>
  preview.profiles.map(({ key, name }) => ({ key, name, withToolFiles: false, ...more }))
const read = (...parts: string[]): Buffer => readFileSync(at('data/profiles', ...parts))

const ODD = {
  'instructions.txt': Buffer.from('\uFEFF[default_prompt]\r\n\r\nBe odd.  \r\n'),
  'tools.txt': Buffer.from('\uFEFF# mine\r\n\r\n dance \r\ndance\r\nmove_head # keep'),
  'voice.txt': Buffer.from('ryan'),
  'greeting.txt': Buffer.from('Hi\u2028there\n\n'),
}
const md = (tools: string[], body = 'You are kind.'): string =>
  `+++\n# mine\nschema_version = 1\ndefault_tools = ${JSON.stringify(tools)}\n+++\n\n${body}\n`

describe('names that come in', () => {
  it.each([
    ['Sailor Bob', 'Sailor_Bob'],
    ['école', 'ecole'],
    ['../x', 'x'],
    ['con', 'con_profile'],
    ['角色', 'imported'],
    ['a'.repeat(100), 'a'.repeat(64)],
  ])('%j becomes %j', (original, name) => {
    expect(safeName(original)).toBe(name)
  })

  it.each([
    ['a/instructions.txt', null],
    ['../x/instructions.txt', /out of the folder/],
    ['a/../../x', /out of the folder/],
    ['/etc/passwd', /absolute/],
    ['C:/x', /absolute/],
    ['a\\b', /backslash/],
    ['a\nb', /control/],
    ['a//b', /empty/],
    ['nul/tools.txt', /device/],
    ['a/com1.txt', /device/],
    ['1/2/3/4/5/6/7', /deep/],
  ])('the entry %j', (entry, reason) => {
    const refused = refusalOf(entry)
    if (reason === null) expect(refused).toBeNull()
    else expect(refused).toMatch(reason)
  })
})

describe('a folder', () => {
  it('of one profile comes in and goes out to the byte', async () => {
    const preview = await exchange.readFolder(put(ODD))
    expect(preview).toMatchObject({
      kind: 'folder',
      refused: [],
      profiles: [{ key: '', name: 'in', taken: false, format: 'txt', toolIds: ['dance', 'move_head'], voice: 'Ryan' }],
    })
    const { imported, undoId } = await exchange.import(preview.importId, pickAll(preview))
    expect(imported).toEqual(['in'])
    for (const [name, bytes] of Object.entries(ODD)) expect(read('in', name).equals(bytes)).toBe(true)
    await exchange.export('in', 'folder', at('out'))
    for (const [name, bytes] of Object.entries(ODD)) expect(readFileSync(at('out', name)).equals(bytes)).toBe(true)
    await profiles.undo(undoId)
    await expect(profiles.read('in')).rejects.toMatchObject({ code: 'profile/not-found' })
    await expect(exchange.import(preview.importId, pickAll(preview))).rejects.toMatchObject({ code: 'app/cancelled' })
  })

  it('of many, of both kinds, with lists that go before their own', async () => {
    const names = Array.from({ length: 14 }, (_, i) => `p${i}`)
    const files: Record<string, string> = {
      'external_content/profile_toolsets.json': JSON.stringify({
        version: 1,
        profiles: { 'user_personalities/p1': ['camera'], default: ['dance'] },
      }),
    }
    names.forEach((name, i) => {
      const folder = `external_content/user_personalities/${name}`
      if (i % 2 === 1) files[`${folder}/profile.md`] = md(['dance', `t${i}`])
      else {
        files[`${folder}/instructions.txt`] = `I am ${name}.`
        files[`${folder}/tools.txt`] = `dance\nt${i}\n`
      }
    })
    const preview = await exchange.readFolder(put(files))
    expect(preview.profiles.map(({ name }) => name).sort()).toEqual([...names].sort())
    await exchange.import(preview.importId, pickAll(preview))
    for (const [i, name] of names.entries()) {
      const { toolIds } = await profiles.effective(name)
      expect(toolIds).toEqual(i === 1 ? ['camera'] : ['dance', `t${i}`])
      for (const format of ['folder', 'profile-md'] as const) {
        await exchange.export(name, format, at(format, name))
        const again = await exchange.readFolder(at(format, name))
        expect(again.profiles[0]?.toolIds).toEqual(toolIds)
      }
    }
    expect(readFileSync(at('profile-md/p1/profile.md'), 'utf8')).toBe(md(['dance', 't1']))
    expect(JSON.parse(readFileSync(at('profile-md/p1/profile_toolsets.json'), 'utf8'))).toEqual({
      version: 1,
      profiles: { 'user_personalities/p1': ['camera'] },
    })
  })

  it('with both kinds of one profile lets the person pick', async () => {
    const preview = await exchange.readFolder(
      put({ 'a/instructions.txt': 'Text', 'a/tools.txt': 'dance\n', 'a/profile.md': md(['camera'], 'Markdown') }),
    )
    expect(preview.profiles).toMatchObject([{ format: 'both', differs: true, toolIds: ['dance'] }])
    await exchange.import(preview.importId, pickAll(preview, { format: 'profile-md' }))
    expect(await profiles.effective('a')).toMatchObject({ instructions: 'Markdown', toolIds: ['camera'] })
    expect(readdirSync(at('data/profiles/a'))).toEqual(['profile.md'])
  })

  it('tells what cannot be taken over, and takes the rest', async () => {
    const folder = put({
      'good/instructions.txt': 'Good',
      'bad/instructions.txt': Buffer.from([0x63, 0xe9]),
      'odd/profile.md': '+++\nnonsense\n+++\nx',
      'good/tool.py': 'import os',
      'big/instructions.txt': 'x'.repeat(1_000_001),
    })
    writeFileSync(at('secret.txt'), 'secret')
    mkdirSync(path.join(folder, 'linked'))
    symlinkSync(at('secret.txt'), path.join(folder, 'linked/instructions.txt'))
    const preview = await exchange.readFolder(folder)
    expect(preview.refused.map(({ entry }) => entry)).toEqual(['big/instructions.txt', 'linked/instructions.txt'])
    expect(preview.profiles.map(({ name, problems, toolFiles }) => [name, problems.map(({ code }) => code), toolFiles])).toEqual([
      ['bad', ['profile/not-utf8'], []],
      ['good', [], ['tool.py']],
      ['odd', expect.arrayContaining(['profile/bad-front-matter']), []],
    ])
    const { problems } = await exchange.import(preview.importId, pickAll(preview))
    expect(problems.map(({ file, code }) => `${file} ${code}`)).toContain('good/tool.py profile/python-not-copied')
    expect(readdirSync(at('data/profiles/good'))).toEqual(['instructions.txt'])
    expect(read('bad', 'instructions.txt')).toEqual(Buffer.from([0x63, 0xe9]))
  })

  it('brings tool files along only when it was said', async () => {
    const preview = await exchange.readFolder(put({ 'a/instructions.txt': 'A', 'a/tool.py': 'x = 1', 'a/_private.py': '' }))
    await exchange.import(preview.importId, pickAll(preview, { withToolFiles: true }))
    expect(readdirSync(at('data/profiles/a')).sort()).toEqual(['instructions.txt', 'tool.py'])
  })

  it.each([
    ['a name that is taken', 'DEFAULT', 'profile/exists'],
    ['a name that leads out', '../x', 'profile/bad-name'],
    ['an absolute name', '/abs', 'profile/bad-name'],
    ['a device', 'nul', 'profile/bad-name'],
    ['a name with a line break', 'a\nb', 'profile/bad-name'],
  ])('with %s changes nothing', async (_, name, code) => {
    const preview = await exchange.readFolder(put({ 'a/instructions.txt': 'A', 'b/instructions.txt': 'B' }))
    const picks = pickAll(preview).map((pick) => (pick.name === 'b' ? { ...pick, name } : pick))
    await expect(exchange.import(preview.importId, picks)).rejects.toMatchObject({ code })
    await expect(profiles.read('a')).rejects.toMatchObject({ code: 'profile/not-found' })
  })

  it('without profiles, or that is not there, is said so', async () => {
    mkdirSync(at('empty'))
    await expect(exchange.readFolder(at('empty'))).rejects.toMatchObject({ code: 'profile/no-profiles' })
    await expect(exchange.readFolder(at('nowhere'))).rejects.toMatchObject({ code: 'profile/no-profiles' })
  })
})

describe('a zip', () => {
  const zip = (files: Record<string, string | Uint8Array>, name = 'in.zip'): string => {
    const bytes = Object.entries(files).map(([file, content]) => [file, typeof content === 'string' ? Buffer.from(content) : content])
    writeFileSync(at(name), zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>))
    return at(name)
  }

  it('comes in and goes out to the byte', async () => {
    const preview = await exchange.readZip(zip(Object.fromEntries(Object.entries(ODD).map(([name, bytes]) => [`odd/${name}`, bytes]))))
    await exchange.import(preview.importId, pickAll(preview))
    const { path: out } = await exchange.export('odd', 'zip', at('out.zip'))
    const files = unzipSync(readFileSync(out))
    for (const [name, bytes] of Object.entries(ODD)) expect(Buffer.from(files[`odd/${name}`] ?? [])).toEqual(bytes)
    await expect(exchange.export('odd', 'zip', at('out.zip'))).rejects.toMatchObject({ code: 'profile/exists' })
    await exchange.export('odd', 'zip', at('out.zip'), { replace: true })
  })

  it('with entries that lead out of it takes the rest', async () => {
    const preview = await exchange.readZip(
      zip({
        'good/instructions.txt': 'Good',
        '../evil/instructions.txt': 'x',
        '/abs/instructions.txt': 'x',
        'c:/x/instructions.txt': 'x',
        'a\\b\\instructions.txt': 'x',
        'nul/instructions.txt': 'x',
        'GOOD/instructions.txt': 'x',
        '__MACOSX/good/instructions.txt': 'x',
      }),
    )
    expect(preview.profiles.map(({ name }) => name)).toEqual(['good'])
    expect(preview.refused).toHaveLength(6)
    await exchange.import(preview.importId, pickAll(preview))
    expect(readdirSync(at('data/profiles')).filter((name) => !name.startsWith('.'))).toEqual(['good'])
  })

  it('that is a bomb is not unpacked', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}/instructions.txt`, 'x'.repeat(900_000)]))
    await expect(exchange.readZip(zip(files))).rejects.toMatchObject({ code: 'profile/too-large' })
    const one = await exchange.readZip(zip({ 'a/instructions.txt': 'x'.repeat(3_000_000), 'b/instructions.txt': 'b' }))
    expect(one.refused).toHaveLength(1)
  })

  it.each([
    ['no zip', Buffer.from('hello')],
    ['empty', Buffer.from('')],
    ['cut', zipSync({ 'a/instructions.txt': Buffer.from('x'.repeat(1000)) }).slice(0, 60)],
  ])('that is %s is said so', async (_, bytes) => {
    writeFileSync(at('x.zip'), bytes)
    await expect(exchange.readAny(at('x.zip'))).rejects.toMatchObject({ code: 'profile/bad-archive' })
  })
})

describe('a repository of the Hub', () => {
  it('is read by name and by link, and can be given up', async () => {
    const asked: string[] = []
    repository = async (ref, wanted) => {
      asked.push(ref)
      expect([wanted('a/instructions.txt', 10), wanted('a/film.mp4', 10), wanted('a/tools.txt', 2_000_000)]).toEqual([true, false, false])
      return { name: 'acme/personas', files: [{ path: 'sailor/instructions.txt', bytes: Buffer.from('Ahoy') }] }
    }
    const preview = await exchange.readAny('hf:acme/personas')
    expect(preview).toMatchObject({ kind: 'hub', from: 'acme/personas', profiles: [{ name: 'sailor' }] })
    await exchange.readAny('https://huggingface.co/acme/personas')
    expect(asked).toEqual(['acme/personas', 'https://huggingface.co/acme/personas'])
    repository = (_, __, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new CompanionError('app/cancelled'))))
    const reading = exchange.readHub('one', 'acme/personas')
    exchange.cancel('one')
    await expect(reading).rejects.toMatchObject({ code: 'app/cancelled' })
  })
})

describe('what an export cannot hold', () => {
  it.each([
    ['profile-md', ['comments of tools.txt', 'lines that stand twice']],
    ['folder', ['[default_prompt], which robot apps from 0.9 on read out as text']],
  ] as const)('as %s is told before', async (format, expected) => {
    const preview = await exchange.readFolder(put(ODD))
    await exchange.import(preview.importId, pickAll(preview))
    const { problems, files } = await exchange.plan('in', format)
    expect(problems.filter(({ code }) => code === 'profile/not-held').map(({ details }) => details?.what)).toEqual(expected)
    expect(files.every(({ bytes }) => bytes > 0)).toBe(true)
  })

  it('writes out placeholders and the inherited list for a profile.md', async () => {
    const preview = await exchange.readFolder(put({ 'instructions.txt': '[default_prompt]\n\nAnd more.\n' }))
    await exchange.import(preview.importId, pickAll(preview))
    await exchange.export('in', 'profile-md', at('out'))
    const text = readFileSync(at('out/profile.md'), 'utf8')
    const { instructions, toolIds } = await profiles.effective('in')
    expect(text).toContain(instructions)
    expect(text).not.toContain('[default_prompt]')
    for (const id of toolIds) expect(text).toContain(`"${id}"`)
  })

  it('is written whole or not at all', async () => {
    mkdirSync(at('there'))
    writeFileSync(at('there/mine.txt'), 'mine')
    await expect(exchange.export('default', 'folder', at('there'))).rejects.toMatchObject({ code: 'profile/exists' })
    writeFileSync(at('file'), '')
    await expect(exchange.export('default', 'folder', at('file/below'))).rejects.toMatchObject({ code: 'storage/failed' })
    expect(readdirSync(root).filter((name) => name.startsWith('.export'))).toEqual([])
    expect(readFileSync(at('there/mine.txt'), 'utf8')).toBe('mine')
  })
})
