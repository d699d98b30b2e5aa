import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { text } from '../../e2e/servers/space.ts'
import { startWorld, strings } from '../../e2e/world.ts'

import { runCli } from './run.ts'

import type { World } from '../../e2e/world.ts'

let world: World
let dataDir: string
beforeEach(async () => {
  world = await startWorld()
  dataDir = await mkdtemp(path.join(tmpdir(), 'cli-'))
})
afterEach(async () => {
  await world.close()
  await rm(dataDir, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly answer: Record<string, unknown> & { ok: boolean; error?: { code: string; message: string; hint?: string } }
  readonly stderr: string
}

async function printed(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const status = await runCli({
    args: [...args, '--data-dir', dataDir],
    env: world.env,
    root: path.resolve(import.meta.dirname, '../..'),
    version: '0.0.0',
    fetch,
    signal: new AbortController().signal,
    stdout: (piece) => void (stdout += piece),
    stderr: (piece) => void (stderr += piece),
  })
  return { status, stdout, stderr }
}

async function run(...args: string[]): Promise<Answer> {
  const { status, stdout, stderr } = await printed(...args, '--json')
  return { status, answer: JSON.parse(stdout) as Answer['answer'], stderr }
}

/** A profile of the user's with these files. */
async function profile(name: string, files: Record<string, string | Uint8Array>): Promise<string> {
  const dir = path.join(dataDir, 'profiles', name)
  await mkdir(dir, { recursive: true })
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(dir, file), content)
  return dir
}

const PROMPT = { 'instructions.txt': 'Be kind.\n' }

describe('profiles list and show', () => {
  it('tell where each comes from, what is hidden and what is wrong', async () => {
    await profile('mine', PROMPT)
    await profile('odd', { 'instructions.txt': Uint8Array.of(0x63, 0xe9, 0x0a) })
    await profile('quiet', PROMPT)
    await writeFile(
      path.join(dataDir, 'profile_details.json'),
      JSON.stringify({ version: 1, profiles: { quiet: { hidden: true } } }),
    )
    const { status, answer } = await run('profiles', 'list')
    expect(status).toBe(0)
    expect(answer.active).toBe('default')
    expect(answer.profiles).toEqual(
      expect.arrayContaining([
        { name: 'default', source: 'shipped', edited: false, hidden: false },
        { name: 'mine', source: 'user', edited: false, hidden: false },
        {
          name: 'odd',
          source: 'user',
          edited: false,
          hidden: false,
          problem: {
            code: expect.stringMatching(/^profile\//) as string,
            message: expect.stringMatching(/\S/) as string,
          },
        },
        { name: 'quiet', source: 'user', edited: false, hidden: true },
      ]),
    )
    const { stdout } = await printed('profiles', 'list')
    expect(stdout).toMatch(/^\* default {2}shipped/m)
    expect(stdout).toMatch(/^ {2}quiet {2}user, hidden/m)
  })

  it('show the texts as they are, and an inherited list as such', async () => {
    const own = await profile('mine', {
      ...PROMPT,
      'tools.txt': '# mine\r\ndance # x\r\nwave\r\n',
      'voice.txt': 'Ryan\n',
    })
    expect((await run('profiles', 'show', 'mine')).answer).toMatchObject({
      profile: 'mine',
      path: own,
      instructions: 'Be kind.\n',
      tools: ['dance', 'wave'],
      inherits: false,
      voice: 'Ryan',
    })
    await profile('heir', PROMPT)
    const { tools } = (await run('profiles', 'show', 'default')).answer
    const { answer } = await run('profiles', 'show', 'heir')
    expect(answer).toMatchObject({ tools, inherits: true })
    expect(answer).not.toHaveProperty('greeting')
    expect((await printed('profiles', 'show', 'heir')).stdout).toContain('Tools (inherited from default):')
  })
})

describe('profiles check', () => {
  interface Found {
    file: string
    line: number | null
    code: string
    message: string
    suggestion?: string
  }
  const problems = async (name: string): Promise<Found[]> => {
    const { status, answer } = await run('profiles', 'check', name)
    expect([status, answer.ok]).toEqual([0, true])
    return answer.problems as Found[]
  }

  it('tells every kind of line by its number', async () => {
    const find = (tool: string) => ({ name: tool, description: 'x', inputSchema: strings('q'), run: () => text('x') })
    await world.space('acme/sky', { tools: [find('get_weather'), find('get_tides')] })
    await run('tool-spaces', 'add', 'acme/sky', '--install-only')
    const lines = [
      '\uFEFFdance # the best one',
      '# a comment',
      'danse',
      'dance',
      'acme_sky__get_weather',
      'acme_sky__get_moon',
      'other_space__do',
      'do_nothing',
      'acme_sky__get_day_brief',
      'camera',
      'completely_unheard_of',
    ]
    await profile('mine', { ...PROMPT, 'tools.txt': lines.map((line) => `${line}\n`).join('') })
    const found = (await problems('mine')).map(({ file, line, code, suggestion }) => [file, line, code, suggestion])
    expect(found).toEqual([
      ['tools.txt', 1, 'tools/bom', undefined],
      ['tools.txt', 1, 'tools/inline-comment', undefined],
      ['tools.txt', 3, 'tools/unknown-id', 'dance'],
      ['tools.txt', 4, 'tools/duplicate-line', undefined],
      ['tools.txt', 6, 'tools/no-longer-offered', undefined],
      ['tools.txt', 7, 'tools/space-not-installed', undefined],
      ['tools.txt', 8, 'tools/renamed', 'idle_do_nothing'],
      ['tools.txt', 9, 'tools/renamed', 'acme_sky__get_weather'],
      ['tools.txt', 10, 'tools/unavailable', undefined],
      ['tools.txt', 11, 'tools/unknown-id', undefined],
    ])
    const { stdout } = await printed('profiles', 'check', 'mine')
    expect(stdout).toContain('tools.txt:3  No tool has the ID danse. Did you mean dance?')
  })

  it('reads the inherited list too, and names the file it stands in', async () => {
    await profile('default', { 'instructions.txt': 'Be kind.\n', 'tools.txt': 'dance\nwav\n' })
    await profile('heir', { 'instructions.txt': 'Be loud.\n' })
    expect(await problems('heir')).toMatchObject([{ file: 'default/tools.txt', line: 2, code: 'tools/unknown-id' }])
    await profile('empty', { 'instructions.txt': 'Be loud.\n', 'tools.txt': '' })
    expect(await problems('empty')).toEqual([])
  })

  it('finds placeholders, long prompts, unknown voices and long lists', async () => {
    await profile('mine', {
      'instructions.txt': `[nobody_knows]\n${'word '.repeat(400)}\n`,
      'tools.txt': Array.from({ length: 26 }, (_, k) => `tool_number_${k}\n`).join(''),
      'voice.txt': 'Nobody\n',
    })
    const codes = (await problems('mine')).map(({ code }) => code)
    expect(codes).toEqual(
      expect.arrayContaining([
        'profile/unknown-placeholder',
        'profile/long-prompt',
        'profile/unknown-voice',
        'profile/many-tools',
      ]),
    )
  })

  it.each<[string, Record<string, string | Uint8Array>, number]>([
    ['a voice that is no text', { ...PROMPT, 'tools.txt': 'dance\n', 'voice.txt': Uint8Array.of(0xff, 0xfe) }, 0],
    ['no instructions', { 'tools.txt': 'dance\n' }, 0],
    ['instructions in Latin-1', { 'instructions.txt': Uint8Array.of(0x63, 0xe9, 0x0a) }, 1],
    ['a NUL in tools.txt', { ...PROMPT, 'tools.txt': 'dance\n\0\n' }, 1],
  ])('with %s ends with what that means for its use', async (_, files, status) => {
    await profile('odd', files)
    const checked = await run('profiles', 'check', 'odd')
    expect(checked.status).toBe(status)
    if (status === 1) expect(checked.answer.error?.code).toBe('profile/unreadable')
    else expect(checked.answer.problems).toHaveLength(1)
    // For people the reasons are there too.
    if (status === 1) expect((await printed('profiles', 'check', 'odd')).stderr).toMatch(/^(instructions|tools)\.txt/m)
  })
})

describe('profiles enable and disable', () => {
  it('write all or nothing', async () => {
    const dir = await profile('mine', { ...PROMPT, 'tools.txt': '# keep\r\ndance' })
    const tools = path.join(dir, 'tools.txt')
    for (const ids of [['move_head', 'nobody'], ['task_status'], ['danse'], ['do_nothing'], ['no_space__here']]) {
      expect(await run('profiles', 'enable', 'mine', ...ids)).toMatchObject({
        status: 1,
        answer: { error: { code: 'tools/unknown' } },
      })
    }
    expect(await readFile(tools, 'utf8')).toBe('# keep\r\ndance')
    expect((await run('profiles', 'enable', 'mine', 'move_head', 'dance', 'camera')).answer).toEqual({
      ok: true,
      profile: 'mine',
      changed: ['move_head', 'camera'],
      path: tools,
    })
    expect(await readFile(tools, 'utf8')).toBe('# keep\r\ndance\r\nmove_head\r\ncamera\r\n')
    await run('profiles', 'enable', 'mine', 'later_on', '--allow-unknown')
    expect((await run('profiles', 'disable', 'mine', 'later_on', 'move_head', 'camera')).answer.changed).toEqual([
      'move_head',
      'camera',
      'later_on',
    ])
    expect(await readFile(tools, 'utf8')).toBe('# keep\r\ndance\r\n')
  })

  it('work on a profile whose prompt is broken', async () => {
    const dir = await profile('odd', { 'instructions.txt': Uint8Array.of(0xe9), 'tools.txt': 'dance\n' })
    expect((await run('profiles', 'enable', 'odd', 'move_head')).answer.changed).toEqual(['move_head'])
    expect(await readFile(path.join(dir, 'tools.txt'), 'utf8')).toBe('dance\nmove_head\n')
  })

  it.each(['a b', 'a\nb', '# x', 'a#b', '', 'ü'])('%j is no ID', async (id) => {
    await profile('mine', { ...PROMPT, 'tools.txt': 'dance\n' })
    expect(await run('profiles', 'enable', 'mine', id, '--allow-unknown')).toMatchObject({
      status: 2,
      answer: { error: { code: 'cli/usage' } },
    })
  })
})

describe('a bad name of a profile', () => {
  const COMMANDS: ReadonlyArray<readonly [string, (name: string) => string[]]> = [
    ['show', (name) => ['profiles', 'show', name]],
    ['check', (name) => ['profiles', 'check', name]],
    ['use', (name) => ['profiles', 'use', name]],
    ['enable', (name) => ['profiles', 'enable', name, 'dance']],
    ['disable', (name) => ['profiles', 'disable', name, 'dance']],
    ['tools list', (name) => ['tools', 'list', '--profile', name]],
    ['tools call', (name) => ['tools', 'call', 'dance', '--profile', name]],
    ['tools allow', (name) => ['tools', 'allow', 'dice', '--yes', '--profile', name]],
  ]

  it.each(COMMANDS)('is refused by %s', async (_, words) => {
    // Where it would lead if it were followed.
    await writeFile(path.join(dataDir, 'tools.txt'), 'outside\n')
    const before = (await readdir(dataDir)).sort()
    for (const name of [
      '../x',
      '..',
      '.',
      '/etc',
      'C:\\x',
      'con',
      'NUL',
      'a\nb',
      'a/b',
      'a'.repeat(65),
      'user_personalities/../x',
    ]) {
      const { status, answer } = await run(...words(name))
      expect([name, status]).toEqual([name, 1])
      expect([name, answer.error?.code]).toEqual([name, expect.stringMatching(/^profile\/(bad-name|not-found)$/)])
    }
    expect(await readFile(path.join(dataDir, 'tools.txt'), 'utf8')).toBe('outside\n')
    expect((await readdir(dataDir)).filter((name) => !before.includes(name) && name === 'x')).toEqual([])
  })
})

describe('help', () => {
  it.each([
    ['profiles check', 'NAME'],
    ['tools allow', 'ID [--profile NAME] [--yes]'],
    ['tools forbid', 'ID [--profile NAME]'],
  ])('%s', async (command, usage) => {
    const { status, stdout } = await printed(...command.split(' '), '--help')
    expect(status).toBe(0)
    expect(stdout).toContain(`${command} ${usage}`)
    expect(stdout.split('\n')[1]?.trim().length).toBeGreaterThan(10)
  })
})
