import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { LONG_PROMPT } from './check.ts'
import { BUILT_IN_PROMPT, instructionsParts, joinParts, KNOWN_TEXTS, resolveInstructions, writeOutPlaceholders } from './instructions.ts'
import { openHouse } from './testing/house.ts'
import { pythonStrip } from './tools-file.ts'

import type { ProfileTexts } from '../contract/index.ts'
import type { House } from './testing/house.ts'

const NONE: ProfileTexts = { 'tools.txt': null, 'instructions.txt': 'Hi.', 'voice.txt': null, 'greeting.txt': null }
const IDENTITY = KNOWN_TEXTS['identities/basic_info'] ?? ''

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

describe('instructionsParts', () => {
  it.each<[string, ReturnType<typeof instructionsParts>]>([
    ['a\nb', [{ origin: 'profile', text: 'a\nb' }]],
    ['[default_prompt]', [{ origin: 'default', name: 'default_prompt', text: 'D' }]],
    [
      'a\r\n[default_prompt]\r\n[identities/basic_info]\r\n[unknown]\r\nb',
      [
        { origin: 'profile', text: 'a' },
        { origin: 'default', name: 'default_prompt', text: 'D' },
        { origin: 'placeholder', name: 'identities/basic_info', text: IDENTITY },
        { origin: 'profile', text: '[unknown]\nb' },
      ],
    ],
    ['', [{ origin: 'profile', text: '' }]],
  ])('%j', (source, expected) => {
    const parts = instructionsParts(source, 'D')
    expect(parts).toEqual(expected)
    expect(pythonStrip(joinParts(parts))).toBe(resolveInstructions(source, 'D'))
  })
})

describe('writeOutPlaceholders', () => {
  it.each([
    ['[default_prompt]\r\nb', 'one\r\ntwo\r\nb'],
    ['\uFEFF[default_prompt]', '\uFEFFone\ntwo'],
    ['a\r\n[default_prompt]', 'a\r\none\r\ntwo'],
    ['  a  \n\n[unknown]\ntext [default_prompt]\n', '  a  \n\n[unknown]\ntext [default_prompt]\n'],
    ['[default_prompt]\r[default_prompt]\n', 'one\rtwo\rone\ntwo\n'],
    ['', ''],
  ])('%j → %j', (source, expected) => {
    expect(writeOutPlaceholders(source, 'one\ntwo')).toBe(expected)
  })

  it('takes the prompt of default as it is now, and no loop in default itself', async () => {
    const profiles = house.open()
    expect(await profiles.writeOut('canary', '[default_prompt]\n')).toBe('Be kind.\n')
    expect(await profiles.writeOut('default', '[default_prompt]\n')).toBe(`${BUILT_IN_PROMPT}\n`)
  })
})

describe('problems of texts that are not saved', () => {
  it.each<[string, Partial<ProfileTexts>, unknown[]]>([
    ['none', {}, []],
    ['no prompt', { 'instructions.txt': null }, [['instructions.txt', null, 'profile/unreadable', 'missing']]],
    ['an empty prompt', { 'instructions.txt': ' \n' }, [['instructions.txt', null, 'profile/unreadable', 'empty']]],
    ['a long prompt', { 'instructions.txt': 'a'.repeat(LONG_PROMPT + 1) }, [['instructions.txt', null, 'profile/long-prompt']]],
    ['a placeholder', { 'instructions.txt': 'a\n[x]\n[default_prompt]' }, [['instructions.txt', 2, 'profile/unknown-placeholder']]],
    ['a voice in any case', { 'voice.txt': '  ONO_anna \r\n' }, []],
    ['an unknown voice', { 'voice.txt': 'cedar\n' }, [['voice.txt', null, 'profile/unknown-voice']]],
    ['an empty voice', { 'voice.txt': ' \n' }, []],
    [
      'lines of tools',
      { 'tools.txt': '\uFEFFdance # why\ndance\n' },
      [
        ['tools.txt', 1, 'tools/bom'],
        ['tools.txt', 1, 'tools/inline-comment'],
        ['tools.txt', 2, 'tools/duplicate-line'],
      ],
    ],
    ['a NUL', { 'greeting.txt': 'é\0' }, [['greeting.txt', null, 'profile/not-utf8']]],
    ['half a character', { 'greeting.txt': 'é\uD83D' }, [['greeting.txt', null, 'profile/not-utf8']]],
  ])('%s', async (_what, texts, expected) => {
    const found = await house.open().checkTexts('canary', { ...NONE, ...texts })
    const shown = found.map(({ file, line, code, details }) =>
      details?.['reason'] === undefined ? [file, line, code] : [file, line, code, details['reason']],
    )
    expect(shown).toEqual(expected)
  })

  it('of a file that is no text are those on disk, until its text is another one', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0x61, 0xff, 0x0a) })
    const profiles = house.open()
    const { texts } = await profiles.read('mine')
    expect(await profiles.checkTexts('mine', texts)).toEqual(await profiles.check('mine'))
    await expect(profiles.effective('mine', texts)).rejects.toMatchObject({ code: 'profile/not-utf8' })
    expect(await profiles.checkTexts('mine', { ...texts, 'tools.txt': 'a\n' })).toEqual([])
  })

  it('a [default_prompt] in default itself is told', async () => {
    const found = await house.open().checkTexts('default', { ...NONE, 'instructions.txt': '[default_prompt]\n' })
    expect(found).toMatchObject([{ line: 1, code: 'profile/unknown-placeholder' }])
  })
})

describe('what would be in force', () => {
  it('takes unsaved texts in the place of those on disk', async () => {
    const profiles = house.open()
    const texts = { 'tools.txt': 'camera\n', 'instructions.txt': '[default_prompt]\nMore.', 'voice.txt': 'ryan', 'greeting.txt': null }
    expect(await profiles.effective('canary', texts)).toMatchObject({
      instructions: 'Be kind.\nMore.',
      toolIds: ['camera'],
      voice: 'Ryan',
    })
    expect(await profiles.effective('canary')).not.toHaveProperty('voice')
    const inherited = await profiles.effective('canary', { ...texts, 'tools.txt': null, 'instructions.txt': '' })
    expect(inherited).toMatchObject({ instructions: 'Be kind.', toolIds: ['dance', 'a__x'] })
  })

  it('of an unsaved default is its own text, and what comes in the place of a broken one is not', async () => {
    const profiles = house.open()
    const unsaved = await profiles.effective('default', { ...NONE, 'instructions.txt': 'New.\n' })
    expect(unsaved.parts).toEqual([{ origin: 'profile', text: 'New.' }])
    house.put(house.user, 'default', { 'instructions.txt': Uint8Array.of(0xff), 'tools.txt': 'camera\n' })
    const broken = await profiles.effective('default')
    expect(broken).toMatchObject({ parts: [{ origin: 'default', text: 'Be kind.' }], toolIds: ['camera'] })
  })

  it('leaves a voice out that the robot’s app does not have, and shows it in the document', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'voice.txt': 'cedar\n' })
    const profiles = house.open()
    expect(await profiles.effective('mine')).not.toHaveProperty('voice')
    expect(await profiles.read('mine')).toMatchObject({ voice: 'cedar', problems: [{ code: 'profile/unknown-voice' }] })
  })
})

describe('a chosen profile that is broken', () => {
  it.each<[string, Record<string, string | Uint8Array>]>([
    ['instructions that are no text', { 'instructions.txt': Uint8Array.of(0xff) }],
    ['tools that are no text', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0) }],
    ['a file in the place of its folder', {}],
  ])('%s: default is in force with all that others read', async (_what, files) => {
    house.put(house.user, 'mine', files)
    if (Object.keys(files).length === 0) house.put(house.user, '', { mine: 'a file' })
    house.chosen.profile = 'mine'
    const profiles = house.open()
    const snapshot = await profiles.snapshot()
    expect(snapshot).toMatchObject({ active: 'default', activeFrom: 'fallback', wanted: 'mine' })
    expect(snapshot.problem).toBeDefined()
    expect((await profiles.effective(snapshot.active)).toolIds).toEqual(['dance', 'a__x'])
  })
})
