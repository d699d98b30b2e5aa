import { afterEach, describe, expect, it } from 'vitest'

import { startHouse, type House } from '../../e2e/house.ts'
import { text } from '../../e2e/servers/space.ts'
import { strings } from '../../e2e/world.ts'

import { DEFAULT_GREETING, joinedPrompt, promptParts, systemPrompt } from './prompt.ts'

import type { ModelScript } from '../../e2e/servers/model.ts'
import type { ProfileTexts } from '../contract/index.ts'
import type { InstructionsPart } from '../profiles/index.ts'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function house(model?: ModelScript): Promise<House> {
  const started = await startHouse({ tools: ['dance', 'move_head'], ...(model ? { model } : {}) })
  open.push(() => started.close())
  return started
}

const part = (text: string, origin: InstructionsPart['origin'] = 'profile'): InstructionsPart => ({ origin, text })
const FRAME = promptParts({ parts: [] })[0]!.text

describe('the parts of a prompt', () => {
  it.each<[string, InstructionsPart[], string]>([
    ['nothing of its own', [], FRAME],
    ['white space alone', [part(' \n'), part('\t')], FRAME],
    ['one part', [part('Be kind.')], `Be kind.\n\n${FRAME}`],
    ['white space around the whole', [part('\n'), part('  Be kind. \n'), part(' ')], `Be kind.\n\n${FRAME}`],
    [
      'a placeholder in the middle',
      [part('First.\n'), { origin: 'default', name: 'default_prompt', text: 'As ever.' }, part('  Last.')],
      `First.\n\nAs ever.\n  Last.\n\n${FRAME}`,
    ],
  ])('%s', (_, parts, expected) => {
    expect(systemPrompt({ parts })).toBe(expected)
    expect(joinedPrompt(promptParts({ parts }))).toBe(expected)
    expect(promptParts({ parts }).at(-1)?.origin).toBe('app')
  })
})

describe('what a model reads', () => {
  const write = async ({ companion }: House, change: Partial<ProfileTexts>): Promise<void> => {
    const { texts } = await companion.profiles.read('default')
    await companion.profiles.save({ name: 'default', base: texts, texts: { ...texts, ...change } })
  }

  it.each(['Be brief.', '[identities/basic_info]\n\nSpeak as a pirate.\n', '\uFEFFA line\r\n[nobody_knows]\r\n', ''])(
    '%j is sent as it is shown, to the letter',
    async (instructions) => {
      const rooms = await house([{ text: 'Hello.' }])
      await write(rooms, { 'instructions.txt': instructions })
      const shown = await rooms.companion.chat.prompt('default')
      await rooms.say('Hi')
      const sent = rooms.model.requests[0]?.messages.find(({ role }) => role === 'system')?.content
      expect(sent).toBe(shown.text)
      expect(joinedPrompt(shown.parts)).toBe(shown.text)
      expect(shown.parts.at(-1)?.origin).toBe('app')
      expect(shown.tokens).toBeGreaterThan(50)
      expect(Math.abs(shown.parts.reduce((sum, { tokens }) => sum + tokens, 0) - shown.tokens)).toBeLessThan(10)
    },
  )

  it('shows unsaved texts, and where greeting and voice come from', async () => {
    const rooms = await house()
    const { texts } = await rooms.companion.profiles.read('default')
    const prompt = (change: Partial<ProfileTexts>) => rooms.companion.chat.prompt('default', { ...texts, ...change })
    expect(await prompt({})).toMatchObject({
      greeting: { text: DEFAULT_GREETING, from: 'app' },
      voice: { name: 'Aiden', from: 'app' },
      characters: 'Be a kind robot.'.length,
    })
    const unsaved = await prompt({
      'instructions.txt': 'Be 🦞 loud.\n',
      'greeting.txt': ' Shout hello. \n',
      'voice.txt': 'uncle_fu\n',
    })
    expect(unsaved).toMatchObject({
      greeting: { text: 'Shout hello.', from: 'profile' },
      voice: { name: 'Uncle_Fu', from: 'profile' },
      // Code points, as people count.
      characters: 10,
    })
    expect(unsaved.parts[0]).toMatchObject({ origin: 'profile', text: 'Be 🦞 loud.' })
    expect((await prompt({ 'voice.txt': 'Nobody' })).voice).toEqual({ name: 'Aiden', from: 'app' })
    expect((await rooms.companion.profiles.read('default')).texts).toEqual(texts)
  })

  it('tells which enabled tools of others it never mentions', async () => {
    const rooms = await house()
    const find = (name: string) => ({ name, description: 'x', inputSchema: strings('q'), run: () => text('x') })
    await rooms.install('acme/one', [find('find_song'), find('get_weather')])
    const { texts } = await rooms.companion.profiles.read('default')
    const unmentioned = async (instructions: string): Promise<string[]> =>
      (await rooms.companion.chat.prompt('default', { ...texts, 'instructions.txt': instructions })).unmentioned
    expect(await unmentioned('Be kind.')).toEqual(['acme_one__find_song', 'acme_one__get_weather'])
    expect(await unmentioned('Tell the weather, and which songs fit.')).toEqual([])
    expect(await unmentioned('Tell the weather.')).toEqual(['acme_one__find_song'])
  })
})

describe('the model of a profile', () => {
  it('answers at the address that is set, and each answer says who it was', async () => {
    const rooms = await house([{ text: 'One.' }, { text: 'Two.' }])
    const { companion, model, say } = rooms
    const set = (await companion.provider()).model
    expect(await say('Hi')).toMatchObject({ provider: 'openai-compatible', model: set })
    await companion.profiles.setDetails('default', { model: { kind: 'named', model: 'another/model' } })
    expect(await say('Hi')).toMatchObject({ provider: 'openai-compatible', model: 'another/model' })
    expect(model.requests.map(({ body }) => body.model)).toEqual([set, 'another/model'])
    await companion.profiles.setDetails('default', { model: { kind: 'offline' } })
    expect(await say('Dance')).toMatchObject({ provider: 'offline' })
    expect(model.requests).toHaveLength(2)
  })
})
