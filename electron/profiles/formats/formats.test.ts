import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { editProfileMd, normalisedTools, parseProfileMd, writeProfileMd } from './profile-md.ts'
import { editToolsets, parseToolsets } from './toolsets.ts'

import type { ProfileMd } from './profile-md.ts'

const minimal = '+++\nschema_version = 1\ndefault_tools = ["dance", "camera"]\n+++\n\nYou are kind.\n'
const parsed = (text: string): ProfileMd => {
  const read = parseProfileMd(text)
  if (!read.ok) throw new Error(String(read.problem.details?.reason))
  return read.profile
}

describe('profile.md', () => {
  it.each<[string, string, ProfileMd]>([
    ['the least', minimal, { body: 'You are kind.', tools: ['dance', 'camera'] }],
    [
      'everything',
      '+++\nschema_version = 1\nvoice = " Ryan "\ngreeting = "Hi.\\nWhat now?"\nhidden = true\ndefault_tools = []\n+++\nA\n\nB\n',
      { body: 'A\n\nB', tools: [], voice: 'Ryan', greeting: 'Hi.\nWhat now?', hidden: true },
    ],
    ['CRLF and spaces behind the fences', minimal.replaceAll('\n', '\r\n').replaceAll('+++', '+++  '), { body: 'You are kind.', tools: ['dance', 'camera'] }],
    ['a line +++ in the prompt', `${minimal}+++\nmore`, { body: 'You are kind.\n+++\nmore', tools: ['dance', 'camera'] }],
    [
      'blanks, comments and repetitions among the tools',
      '+++\nschema_version = 1\ndefault_tools = ["dance", "dance", "", "# disabled", " move_head "]\n+++\nx',
      { body: 'x', tools: ['dance', 'move_head'] },
    ],
    ['empty voice and greeting', minimal.replace('+++\n\n', 'voice = "  "\ngreeting = ""\n+++\n\n'), { body: 'You are kind.', tools: ['dance', 'camera'] }],
  ])('reads %s', (_, text, profile) => {
    expect(parseProfileMd(text)).toMatchObject({ ok: true, profile, newer: false })
  })

  it.each([
    ['no fence', 'schema_version = 1', /does not begin/],
    ['no second fence', '+++\nschema_version = 1\n', /second line/],
    ['no TOML', '+++\nschema_version = \n+++\nx', /./],
    ['no version', '+++\ndefault_tools = []\n+++\nx', /schema_version/],
    ['a version that is a text', '+++\nschema_version = "1"\ndefault_tools = []\n+++\nx', /schema_version/],
    ['an old version', '+++\nschema_version = 0\ndefault_tools = []\n+++\nx', /schema_version 0/],
    ['tools that are no list', '+++\nschema_version = 1\ndefault_tools = "dance"\n+++\nx', /default_tools/],
    ['tools that are no texts', '+++\nschema_version = 1\ndefault_tools = [1]\n+++\nx', /default_tools/],
    ['no tools', '+++\nschema_version = 1\n+++\nx', /default_tools/],
    ['no prompt', '+++\nschema_version = 1\ndefault_tools = []\n+++\n \n', /no prompt/],
    ['an empty file', '', /does not begin/],
  ])('says why it cannot read one with %s', (_, text, reason) => {
    const read = parseProfileMd(text)
    expect(read.ok).toBe(false)
    if (!read.ok) expect(read.problem).toMatchObject({ code: 'profile/bad-front-matter', details: { reason: expect.stringMatching(reason) as string } })
  })

  it.each([
    ['a byte order mark', `\uFEFF${minimal}`, 'tools/bom'],
    ['unknown keys', minimal.replace('schema', 'colour = "red"\nschema'), 'profile/unknown-key'],
    ['a voice that is no text', minimal.replace('schema', 'voice = 3\nschema'), 'profile/bad-front-matter'],
    ['hidden that is a text', minimal.replace('schema', 'hidden = "yes"\nschema'), 'profile/bad-front-matter'],
  ])('takes the rest of one with %s', (_, text, code) => {
    expect(parseProfileMd(text)).toMatchObject({ ok: true, profile: { body: 'You are kind.' }, problems: [{ code }] })
  })

  it('shows a newer version and does not take it for one of ours', () => {
    expect(parseProfileMd('+++\nschema_version = 2\ntools = []\n+++\nx')).toMatchObject({
      ok: true,
      newer: true,
      problems: [{ code: 'profile/unknown-key' }, { code: 'profile/newer', details: { version: 2 } }],
    })
  })

  it('is written as the robot’s app writes it', () => {
    expect(writeProfileMd({ body: ' Hello.\n', tools: ['dance'], voice: 'Ryan', greeting: 'Say "hi"\nnow 🤖' })).toBe(
      '+++\nschema_version = 1\nvoice = "Ryan"\ngreeting = "Say \\"hi\\"\\nnow 🤖"\ndefault_tools = [\n  "dance",\n]\n+++\n\nHello.\n',
    )
  })

  it('comes back whole, whatever is in it', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/.test(text))
    const words = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `a${lines.join('\n')}z`)
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { maxLength: 6 })
    fc.assert(
      fc.property(words, ids, fc.option(words, { nil: undefined }), fc.boolean(), (body, tools, greeting, hidden) => {
        const profile = { body, tools, ...(greeting === undefined ? {} : { greeting }), ...(hidden ? { hidden } : {}) }
        expect(parsed(writeProfileMd(profile))).toEqual(profile)
        expect(editProfileMd(writeProfileMd(profile), profile)).toBe(writeProfileMd(profile))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    [
      'one key, with comments, order and unknown keys left',
      '+++\r\n# mine\r\ndefault_tools = [ # all\r\n  "dance", # nice\r\n]\r\nschema_version = 1\r\ncolour = "red"\r\nvoice = "Ryan"\r\n+++\r\n\r\n  Prompt\r\n\r\n',
      { voice: 'Vivian' },
      '+++\r\n# mine\r\ndefault_tools = [ # all\r\n  "dance", # nice\r\n]\r\nschema_version = 1\r\ncolour = "red"\r\nvoice = "Vivian"\r\n+++\r\n\r\n  Prompt\r\n\r\n',
    ],
    ['the tools', minimal, { tools: ['camera'] }, minimal.replace('["dance", "camera"]', '[\n  "camera",\n]')],
    ['the prompt', minimal, { body: 'New\nlines' }, minimal.replace('You are kind.', 'New\nlines')],
    ['a greeting that was not there', minimal, { greeting: 'Hi' }, minimal.replace('+++\n\n', 'greeting = "Hi"\n+++\n\n')],
    ['nothing', `\uFEFF${minimal}`, {}, `\uFEFF${minimal}`],
    ['a voice away', minimal.replace('schema', 'voice = "Ryan"\nschema'), { voice: undefined }, minimal],
  ])('changes %s', (_, text, change, expected) => {
    const { voice, ...rest } = { ...parsed(text), ...change } as ProfileMd & { voice?: string }
    expect(editProfileMd(text, voice === undefined ? rest : { ...rest, voice })).toBe(expected)
  })

  it('normalises lists as the robot’s app does', () => {
    expect(normalisedTools(['dance', 'dance', '', '# disabled', 'move_head'])).toEqual(['dance', 'move_head'])
  })
})

describe('profile_toolsets.json', () => {
  it('reads lists by name, one bad entry beside the good ones', () => {
    const { lists, problems, writable } = parseToolsets(
      '{"version":1,"later":true,"profiles":{"":["a","a"],"x":"no","user_personalities/y":[]}}',
    )
    expect([...lists]).toEqual([
      ['default', ['a']],
      ['user_personalities/y', []],
    ])
    expect(problems).toMatchObject([{ code: 'profile/toolsets-unreadable', details: { reason: 'the entry x is no list of texts.' } }])
    expect(writable).toBe(true)
  })

  it.each(['{', '[]', '{}', '{"version":2,"profiles":{}}', '{"version":1,"profiles":[]}', '{"version":"1"}'])('%s is left alone', (text) => {
    expect(parseToolsets(text)).toMatchObject({ writable: false, problems: [{ code: 'profile/toolsets-unreadable' }] })
  })

  it.each([
    ['a new file', null, { x: ['b', 'a'] }, '{\n  "profiles": {\n    "x": [\n      "b",\n      "a"\n    ]\n  },\n  "version": 1\n}\n'],
    ['the last one away', '{"version":1,"profiles":{"x":[]}}', { x: null }, null],
    ['one away, other keys stay', '{"version":1,"later":1,"profiles":{"x":[]}}', { x: null }, '{\n  "later": 1,\n  "profiles": {},\n  "version": 1\n}\n'],
    ['an empty list, which is none', '{"version":1,"profiles":{}}', { default: [] }, '{\n  "profiles": {\n    "default": []\n  },\n  "version": 1\n}\n'],
    ['a bad entry stays', '{"version":1,"profiles":{"bad":3}}', { x: [] }, '{\n  "profiles": {\n    "bad": 3,\n    "x": []\n  },\n  "version": 1\n}\n'],
  ])('is edited: %s', (_, text, changes, expected) => {
    expect(editToolsets(text, new Map(Object.entries(changes)))).toBe(expected)
  })
})
