import { describe, expect, it } from 'vitest'

import { nameTools } from '../ids.ts'

import { programEnvironment } from './environment.ts'
import { isServerName } from './names.ts'

describe('names', () => {
  it.each(['home', 'home_assistant', 'Home2', 'a', 'a1_b2_c3'])('%s is one', (name) => {
    expect(isServerName(name)).toBe(true)
  })
  it.each([
    '',
    '_home',
    'home_',
    'home__assistant',
    '2home',
    'home-assistant',
    'home assistant',
    'häuschen',
    'home\n',
    'robot',
    'System',
    'move_head',
    'camera',
    'a.b',
    'a'.repeat(65),
  ])('%j is none', (name) => {
    expect(isServerName(name)).toBe(false)
  })
})

describe('IDs', () => {
  const idsOf = (server: string, names: string[]): string[] =>
    [...nameTools(server, names).values()].map(({ id }) => id)

  it.each([
    ['home', ['turn_on'], ['home__turn_on']],
    // The name of the server in front stays, and so does `tool_`.
    ['home', ['home_turn_on', 'tool_x', 'tool_'], ['home__home_turn_on', 'home__tool_x', 'home__tool']],
    ['home', ['get-sum', '9lives', '/predict'], ['home__get_sum', 'home__tool_9lives', 'home__predict']],
  ])('%s %j', (server, names, ids) => {
    expect(idsOf(server, names)).toEqual(ids)
  })

  it('two names that would be one get a digest each, whatever their order', () => {
    const there = nameTools('home', ['a-b', 'a_b'])
    const back = nameTools('home', ['a_b', 'a-b'])
    for (const name of ['a-b', 'a_b']) {
      expect(there.get(name)?.id).toMatch(/^home__a_b_[0-9a-f]{8}$/)
      expect(back.get(name)).toEqual(there.get(name))
    }
    expect(there.get('a-b')?.id).not.toBe(there.get('a_b')?.id)
  })
})

describe('the environment of a program', () => {
  const own = {
    PATH: '/usr/bin',
    HOME: '/home/zoe',
    LANG: 'en_GB.UTF-8',
    TMPDIR: '/var/tmp',
    HF_TOKEN: 'hf_secret',
    OPENAI_API_KEY: 'sk-secret',
    NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/tmp/x.so',
    MY_KEY: 'mine',
    EMPTY: '',
    SHELL: '() { :;}; echo',
  }

  it('holds what a program needs to run, and no key', () => {
    expect(programEnvironment(own, {}, 'linux')).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/zoe',
      LANG: 'en_GB.UTF-8',
      TMPDIR: '/var/tmp',
    })
  })

  it('holds what is named, and plain values over all', () => {
    const env = programEnvironment(
      own,
      { envFrom: ['MY_KEY', 'HF_TOKEN', 'EMPTY', 'NOT_SET'], env: { LANG: 'C', MODE: 'x' } },
      'darwin',
    )
    expect(env).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/zoe',
      LANG: 'C',
      TMPDIR: '/var/tmp',
      MY_KEY: 'mine',
      HF_TOKEN: 'hf_secret',
      EMPTY: '',
      MODE: 'x',
    })
  })

  it('takes names on Windows whatever their case, once', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P', hf_token: 'hf_secret' }
    expect(programEnvironment(windows, { env: { PATH: 'D:\\bin' }, envFrom: [] }, 'win32')).toEqual({
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      PATH: 'D:\\bin',
    })
    expect(programEnvironment(windows, { envFrom: ['HF_TOKEN'] }, 'win32')).toMatchObject({ hf_token: 'hf_secret' })
  })
})
