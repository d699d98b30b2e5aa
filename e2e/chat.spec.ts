import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { modelEnv, startWorld } from './world.ts'

import type { ModelScript } from './servers/model.ts'
import type { World } from './world.ts'

let world: World

test.beforeEach(async () => {
  world = await startWorld()
})
test.afterEach(async () => {
  await world.close()
})

test('without a model the offline brain finds the tool, in three languages, and says what it is', async ({
  launchApp,
}) => {
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  for (const [sentence, tool] of [
    ['I am so happy today', 'play_emotion'],
    ['regarde à gauche', 'move_head'],
    ['我很难过', 'play_emotion'],
  ] as const) {
    await app.say(sentence)
    await app.settled()
    await expect(app.call(tool).last()).toContainText('Done')
  }
  await app.say('What do you think about the poetry of clouds?')
  await app.settled()
  await expect(app.log.getByRole('article').last()).toContainText(/language model/i)
})

test('text streams, and Stop ends it at once', async ({ launchApp }) => {
  const model = await world.model([
    { text: 'one two three four five six seven eight nine ten eleven twelve', chunkMs: 400 },
    { text: 'And now something else.' },
  ])
  const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)
  await app.say('Count')
  await expect(app.log).toContainText('one two')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await app.settled()
  await expect(app.log).toContainText('Stopped by you.')
  await expect(app.log).not.toContainText('twelve')
  await app.say('Go on')
  await app.settled()
  await expect(app.log).toContainText('And now something else.')
})

test.describe('a model that fails is named, the message is kept, the offline brain is offered', () => {
  const cases: [string, ModelScript, string][] = [
    ['refused key', [{ fault: 'unauthorized' }], 'provider/unauthorized'],
    ['dropped stream', [{ text: 'so far so good and then', fault: 'cut-mid-stream' }], 'provider/dropped'],
    ['server error', [{ fault: 'http500' }], 'provider/error'],
    ['a page instead of an answer', [{ fault: 'html' }], 'provider/error'],
  ]
  for (const [name, script, code] of cases) {
    test(name, async ({ launchApp }) => {
      const model = await world.model(script)
      const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
      const app = new CompanionPage(page)
      await app.say('look left')
      await app.settled()
      await expect(app.log).toContainText(code)
      await expect(app.log).toContainText('look left')
      await page.getByRole('button', { name: 'Ask the offline brain' }).click()
      await app.settled()
      await expect(app.call('move_head')).toContainText('Done')
    })
  }
})

test('the emotion that a model plays is shown, and the body follows', async ({ launchApp }) => {
  const model = await world.model([
    { toolCalls: [{ name: 'play_emotion', arguments: { emotion: 'happy' } }] },
    { text: 'Glad to hear it.' },
  ])
  const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)
  await app.say('I passed my exam')
  await app.settled()
  await expect(app.call('play_emotion')).toContainText('laughing')
  await expect(page.getByRole('region', { name: 'Robot panel' }).or(page.getByRole('complementary'))).toContainText(
    /laughing/,
  )
})

test('the conversation stays at its end while answers grow, and no word makes it scroll sideways', async ({
  launchApp,
}) => {
  const paragraph = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ')
  const model = await world.model(() => ({ text: `${paragraph} https://example.com/${'a'.repeat(400)}`, chunkMs: 5 }))
  const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)
  const measure = (): Promise<{ fromEnd: number; sideways: number }> =>
    app.log.evaluate((log) => ({
      fromEnd: log.scrollHeight - log.scrollTop - log.clientHeight,
      sideways: log.scrollWidth - log.clientWidth,
    }))
  for (const sentence of ['first', 'second', 'third', 'fourth']) {
    await app.say(sentence)
    await app.settled()
    await expect.poll(async () => (await measure()).fromEnd, { message: sentence }).toBeLessThan(80)
  }
  expect((await measure()).sideways).toBe(0)

  // Whoever has gone up to read stays there, until they speak again.
  await app.log.hover()
  await page.mouse.wheel(0, -2_000)
  await expect.poll(async () => (await measure()).fromEnd).toBeGreaterThan(300)
  await app.say('fifth')
  await app.settled()
  await expect.poll(async () => (await measure()).fromEnd).toBeLessThan(80)
})
