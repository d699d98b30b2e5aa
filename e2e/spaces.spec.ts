import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { text } from './servers/space-tools.ts'
import { modelEnv, startWorld, strings } from './world.ts'

import type { World } from './world.ts'

const EVERYTHING = 'example-lab/everything'
const ECHO = 'example_lab_everything__echo'

let world: World

test.beforeEach(async () => {
  world = await startWorld()
})
test.afterEach(async () => {
  await world.close()
})

interface Manifest {
  version: number
  spaces: { slug: string; alias: string; tools: { local_name: string }[] }[]
}

const manifestOf = async (dataDir: string): Promise<Manifest | null> => {
  try {
    return JSON.parse(await readFile(path.join(dataDir, 'installed_tool_spaces.json'), 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const toolsTextOf = (dataDir: string, profile = 'default'): Promise<string | null> =>
  readFile(path.join(dataDir, 'profiles', profile, 'tools.txt'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

test('a server that nobody here wrote: added by clicking, called from chat, its picture shown', async ({
  launchApp,
}) => {
  test.slow()
  await world.everything(EVERYTHING)
  const model = await world.model([
    { toolCalls: [{ name: ECHO, arguments: { message: 'hello there' } }] },
    { toolCalls: [{ name: 'example_lab_everything__get_sum', arguments: { a: 20, b: 22 } }] },
    { toolCalls: [{ name: 'example_lab_everything__get_tiny_image', arguments: {} }] },
    { text: 'All three are done.' },
  ])
  const { page, dataDir } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)

  await app.goTo('Spaces')
  await expect(app.spaceCard(EVERYTHING)).toBeVisible()
  await app
    .spaceCard(EVERYTHING)
    .getByRole('button', { name: `Install ${EVERYTHING}` })
    .click()
  const dialog = page.getByRole('dialog', { name: `Install ${EVERYTHING}` })
  await expect(dialog.getByText(ECHO, { exact: true })).toBeVisible()
  // It wants a kind of call that this app does not make: shown with the reason, not hidden.
  await expect(dialog.getByText(/simulate.research.query/).first()).toBeVisible()
  expect(await manifestOf(dataDir)).toBeNull()
  await dialog.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(app.spaceCard(EVERYTHING).getByRole('button', { name: `Remove ${EVERYTHING}` })).toBeVisible()

  const manifest = await manifestOf(dataDir)
  const entry = manifest?.spaces.find(({ slug }) => slug === EVERYTHING)
  expect(manifest?.version).toBe(2)
  expect(manifest?.spaces.map(({ slug }) => slug)).toEqual([...(manifest?.spaces.map(({ slug }) => slug) ?? [])].sort())
  expect(entry?.alias).toBe('example_lab_everything')
  const tools = await toolsTextOf(dataDir)
  for (const { local_name: id } of entry?.tools ?? []) expect(tools?.split('\n')).toContain(id)

  await app.goTo('Chat')
  await app.say('Try them')
  await app.settled()
  await expect(app.call(ECHO)).toContainText('Done')
  await expect(app.call(ECHO)).toContainText('Echo: hello there')
  await expect(app.call('example_lab_everything__get_sum')).toContainText('The sum of 20 and 22 is 42.')
  const picture = app.log.getByRole('img', { name: 'Picture from example_lab_everything__get_tiny_image' })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  await expect(app.log).toContainText('All three are done.')
  // What goes back to the model is text, never a picture's base64.
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('iVBOR')

  await app.goTo('Spaces')
  await app
    .spaceCard(EVERYTHING)
    .getByRole('button', { name: `Remove ${EVERYTHING}` })
    .click()
  await expect(app.spaceCard(EVERYTHING).getByRole('button', { name: `Install ${EVERYTHING}` })).toBeVisible()
  expect((await manifestOf(dataDir))?.spaces.some(({ slug }) => slug === EVERYTHING)).toBe(false)
  expect(await toolsTextOf(dataDir)).not.toContain('example_lab_everything__')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(app.spaceCard(EVERYTHING).getByRole('button', { name: `Remove ${EVERYTHING}` })).toBeVisible()
  expect(await toolsTextOf(dataDir)).toContain(ECHO)
})

test('two calls of one turn to two Spaces run at the same time, and both results reach the next turn', async ({
  launchApp,
}) => {
  const slow = (answer: string) => ({
    description: 'Takes a moment',
    inputSchema: strings('q'),
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return text(answer)
    },
  })
  const left = await world.space('acme/left', { tools: [{ name: 'left_slow', ...slow('answer of left') }] })
  const right = await world.space('acme/right', { tools: [{ name: 'right_slow', ...slow('answer of right') }] })
  const model = await world.model([
    {
      toolCalls: [
        { name: 'acme_left__slow', arguments: { q: 'a' } },
        { name: 'acme_right__slow', arguments: { q: 'b' } },
      ],
    },
    { text: 'Both are here.' },
  ])
  const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await app.install('acme/left')
  await app.install('https://huggingface.co/spaces/acme/right?logs=1')
  await app.goTo('Chat')
  await app.say('Ask both')
  await expect(app.log).toContainText('2 tools at the same time')
  await app.settled()

  const [a, b] = [left.calls[0], right.calls[0]]
  expect(a?.endedAt).toBeGreaterThan(b?.startedAt ?? Infinity)
  expect(b?.endedAt).toBeGreaterThan(a?.startedAt ?? Infinity)
  const second = JSON.stringify(model.requests[1]?.messages)
  expect(model.requests).toHaveLength(2)
  expect(second).toContain('answer of left')
  expect(second).toContain('answer of right')
})

test('a tool that tools.txt does not list is neither offered nor callable', async ({ launchApp }) => {
  const space = await world.space('acme/door', {
    tools: [
      { name: 'door_open', description: 'Opens', inputSchema: strings(), run: () => text('opened') },
      { name: 'door_close', description: 'Closes', inputSchema: strings(), run: () => text('closed') },
    ],
  })
  const model = await world.model([
    { toolCalls: [{ name: 'acme_door__open', arguments: {} }] },
    { text: 'It is not mine to open.' },
  ])
  const { page } = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  const dialog = await app.addByName('acme/door')
  await dialog.getByRole('checkbox', { name: /acme_door__open/ }).uncheck()
  await dialog.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(dialog).toBeHidden()

  await app.goTo('Chat')
  await app.say('Open the door')
  await app.settled()
  expect(model.requests[0]?.toolNames).toContain('acme_door__close')
  expect(model.requests[0]?.toolNames).not.toContain('acme_door__open')
  await expect(app.call('acme_door__open')).toContainText('Refused')
  await expect(app.call('acme_door__open')).toContainText('tools/not-enabled')
  expect(space.calls).toHaveLength(0)
})

test.describe('bad input changes nothing on disk and says what is wrong', () => {
  const cases: { name: string; ref: string; code: string; prepare: () => Promise<void> }[] = [
    { name: 'a name that is none', ref: 'not a space', code: 'space/bad-name', prepare: async () => undefined },
    {
      name: 'a look-alike address',
      ref: 'https://evil.hf.space.example/',
      code: 'space/bad-name',
      prepare: async () => undefined,
    },
    {
      name: 'a Space that does not exist',
      ref: 'acme/nothing',
      code: 'space/not-found',
      prepare: async () => undefined,
    },
    {
      name: 'a Hub that answers HTML',
      ref: 'acme/any',
      code: 'hub/error',
      prepare: async () => {
        await world.space('acme/any')
        world.hub.fault('html')
      },
    },
    {
      name: 'a Space without MCP',
      ref: 'acme/plain',
      code: 'space/no-mcp',
      prepare: async () => (await world.space('acme/plain')).fault('noMcp404'),
    },
    {
      name: 'a paused Space',
      ref: 'acme/paused',
      code: 'space/not-running',
      prepare: async () => {
        await world.space('acme/paused', {}, { stage: 'PAUSED' })
      },
    },
  ]
  for (const { name, ref, code, prepare } of cases) {
    test(name, async ({ launchApp }) => {
      await prepare()
      const { page, dataDir } = await launchApp({ env: world.env })
      const app = new CompanionPage(page)
      await app.goTo('Spaces')
      await app.addByName(ref)
      await expect(page.getByText(code).first()).toBeVisible({ timeout: 30_000 })
      expect(await manifestOf(dataDir)).toBeNull()
      expect(await toolsTextOf(dataDir)).toBeNull()
    })
  }

  test('one bad tool in a list: the others install', async ({ launchApp }) => {
    const space = await world.space('acme/mixed', {
      tools: [
        { name: 'mixed_good', description: 'Works', inputSchema: strings('q'), run: () => text('fine') },
        { name: 'mixed_other', description: 'Works too', inputSchema: strings(), run: () => text('fine') },
      ],
    })
    space.fault('badToolInList')
    const { page, dataDir } = await launchApp({ env: world.env })
    const app = new CompanionPage(page)
    await app.goTo('Spaces')
    await app.install('acme/mixed')
    const entry = (await manifestOf(dataDir))?.spaces.find(({ slug }) => slug === 'acme/mixed')
    expect(entry?.tools.map((tool) => tool.local_name)).toEqual(
      expect.arrayContaining(['acme_mixed__good', 'acme_mixed__other']),
    )
  })
})

test('a description without an end cannot push anything out of the question', async ({ launchApp }) => {
  await world.space('acme/wide', {
    tools: [
      { name: 'wide_word', description: 'x'.repeat(300_000), inputSchema: strings(), run: () => text('fine') },
      {
        name: `wide_${'n'.repeat(110)}`,
        description: 'Long name',
        inputSchema: strings('p'.repeat(200)),
        run: () => text('fine'),
      },
    ],
  })
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  const dialog = await app.addByName('acme/wide')
  await expect(dialog.getByRole('button', { name: 'Install', exact: true })).toBeVisible()
  const wider = await dialog.evaluate((frame) =>
    [frame, ...frame.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1)
      .map((element) => `${element.tagName} ${element.className}`),
  )
  expect(wider).toEqual([])
})
