import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { CompanionPage } from './pages/companion.ts'
import { modelEnv, startWorld } from './world.ts'

import type { World } from './world.ts'
import type { Page } from '@playwright/test'

let world: World

test.beforeEach(async () => {
  world = await startWorld()
})
test.afterEach(async () => {
  await world.close()
})

const DICE = `export default {
  name: 'roll',
  description: 'Rolls a die.',
  parameters: { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] },
  async run({ sides }) { return { points: sides } },
}
`

/** What the app says of a tool at this moment. */
const state = (page: Page, id: string): Promise<string> =>
  page.evaluate(async (wanted) => {
    interface Answer {
      ok: boolean
      value?: { tools: Array<{ id: string; problem?: { code: string } }> }
    }
    const { companion } = window as unknown as {
      companion: { request(route: string, payload: object): Promise<Answer> }
    }
    const { value } = await companion.request('tools.list', { profile: 'default' })
    return value?.tools.find((tool) => tool.id === wanted)?.problem?.code ?? 'ready'
  }, id)

test('a file of the user’s own is allowed by a command, asks in the conversation, and answers', async ({
  launchApp,
}) => {
  const model = await world.model([
    { text: 'I have no dice.' },
    { toolCalls: [{ name: 'roll', arguments: { sides: 6 } }] },
    { text: 'A six.' },
    { text: 'No dice again.' },
  ])
  const { page, dataDir } = await launchApp({
    env: { ...world.env, ...modelEnv(model) },
    files: {
      'external_tools/dice.mjs': DICE,
      // The robot keeps its own.
      'external_tools/dance.mjs': DICE,
      'profiles/default/tools.txt': 'dance\ndice\n',
      'profiles/default/instructions.txt': 'Be brief.\n',
    },
  })
  const app = new CompanionPage(page)
  await app.say('Roll the dice')
  await app.settled()
  expect(await state(page, 'dice')).toBe('tools/not-allowed')

  // Another process gives the permission: the app notices by itself.
  const command = commandOn(dataDir)
  expect(await command.json('tools', 'allow', 'dice', '--yes')).toMatchObject({
    status: 0,
    answer: { id: 'dice', tools: [{ name: 'roll' }] },
  })
  await expect.poll(() => state(page, 'dice')).toBe('ready')
  await app.say('Roll the dice again')
  const card = page.getByRole('group', { name: 'Approve dice' })
  await expect(card).toContainText('on this computer?')
  await expect(card).toContainText(path.join('external_tools', 'dice.mjs'))
  await expect(card.getByRole('button', { name: 'Always allow' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Allow once' }).click()
  await app.settled()
  await expect(app.call('dice')).toContainText('"points":6')

  await command.json('tools', 'forbid', 'dice')
  await expect.poll(() => state(page, 'dice')).toBe('tools/not-allowed')
  await app.say('And once more')
  await app.settled()
  const system = ['dance', 'task_status', 'task_cancel']
  expect(model.requests.map(({ toolNames }) => toolNames)).toEqual([
    system,
    [...system, 'roll'],
    [...system, 'roll'],
    system,
  ])
})
