import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { CompanionPage } from './pages/companion.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, PROMPT, shipped } from './profile-files.ts'
import { text } from './servers/space-tools.ts'
import { modelEnv, startWorld, strings } from './world.ts'

import type { SpaceTool } from './servers/space.ts'
import type { World } from './world.ts'

const SEARCH = 'pollen_robotics_reachy_mini_search_tool__search_web'
const WEATHER = 'pollen_robotics_reachy_mini_weather_tool__get_weather'
const JACKET = 'Should I bring a jacket in Bordeaux today, and is there anything major happening downtown tonight?'

let world: World
test.beforeEach(async () => {
  world = await startWorld()
})
test.afterEach(() => world.close())

const tool = (name: string, parameter: string, answer: string): SpaceTool => ({
  name,
  description: `Says ${name}.`,
  inputSchema: strings(parameter),
  run: () => text(answer),
})

test('the first save copies a shipped profile whole, and the shipped one can be had back', async ({ launchApp }) => {
  const app = await launchApp()
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('quiz_master')
  await expect(screen.row('quiz_master')).not.toContainText('edited')
  await screen.tool('dance').click()
  await screen.saveAll()
  const copy = path.join(app.dataDir, 'profiles', 'quiz_master')
  const all = ['about.json', 'greeting.txt', 'instructions.txt', 'tools.txt', 'voice.txt']
  expect((await readdir(copy)).filter((file) => all.includes(file)).sort()).toEqual(all)
  for (const file of all) {
    const before = await shipped('quiz_master', file)
    expect(await fileOf(app, 'quiz_master', file), file).toBe(
      file === 'tools.txt' ? before.replace(/^dance\n/m, '') : before,
    )
  }
  await expect(screen.row('quiz_master')).toContainText('edited')
  await expect(screen.row('quiz_master')).toHaveCount(1)

  await screen.choose('Restore the shipped one')
  await expect(screen.row('quiz_master')).not.toContainText('edited')
  await expect(screen.tool('dance')).toBeChecked()
  expect(existsSync(copy)).toBe(false)

  await screen.undoToast('quiz_master is the shipped one again.')
  await expect(screen.row('quiz_master')).toContainText('edited')
  await expect(screen.tool('dance')).not.toBeChecked()
  expect(await fileOf(app, 'quiz_master', 'tools.txt')).not.toMatch(/^dance$/m)
})

test('a Space that is added to a profile without a list of its own keeps what it inherited', async ({ launchApp }) => {
  await world.space('acme/lamp', { tools: [tool('lamp_on', 'room', 'on')] })
  const app = await launchApp({ env: world.env, files: profiles({ mine: PROMPT }) })
  const screen = new ProfilesPage(app.page)
  const companion = new CompanionPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await app.page.getByRole('button', { name: 'Use mine' }).click()
  await expect(screen.row('mine')).toContainText('In use')
  const inherited = (await shipped('default', 'tools.txt'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

  await companion.goTo('Spaces')
  await companion.install('acme/lamp')
  const lines = [...inherited, 'acme_lamp__on']
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(lines.map((id) => `${id}\n`).join(''))
  await screen.goTo()
  await screen.open('mine')
  for (const id of ['dance', 'go_to_sleep', 'acme_lamp__on']) await expect(screen.tool(id)).toBeChecked()
  expect(existsSync(path.join(app.dataDir, 'profiles', 'default'))).toBe(false)
})

test('a canary asks weather and web in one turn, with its own prompt and nothing but its tools', async ({
  launchApp,
}) => {
  test.slow()
  await world.space('pollen-robotics/reachy-mini-search-tool', {
    tools: [tool('reachy_mini_search_tool_search_web', 'query', 'Concert on the quay at nine.')],
  })
  await world.space('pollen-robotics/reachy-mini-weather-tool', {
    tools: [tool('reachy_mini_weather_tool_get_weather', 'location', '11 degrees, rain from six.')],
  })
  const model = await world.model([
    {
      toolCalls: [
        { name: WEATHER, arguments: { location: 'Bordeaux' } },
        { name: SEARCH, arguments: { query: 'Bordeaux downtown tonight' } },
      ],
    },
    { text: 'Take one, it rains from six; and there is a concert on the quay at nine.' },
  ])
  const app = await launchApp({ env: { ...world.env, ...modelEnv(model) } })
  const command = commandOn(app.dataDir, world.env)
  for (const space of ['search', 'weather']) {
    const slug = `pollen-robotics/reachy-mini-${space}-tool`
    expect((await command.run('tool-spaces', 'add', slug, '--install-only', '--accept-changes')).status).toBe(0)
  }
  const companion = new CompanionPage(app.page)
  await companion.goTo('Chat')
  const chosen = app.page.getByRole('combobox', { name: 'Profile' })
  await new ProfilesPage(app.page).pick(chosen, 'canary_web_search_weather')
  await companion.say(JACKET)
  await companion.settled()
  await expect(companion.call(WEATHER)).toContainText('Done')
  await expect(companion.call(SEARCH)).toContainText('Done')
  await expect(companion.log).toContainText('concert on the quay at nine')

  expect(model.requests).toHaveLength(2)
  const [first, second] = model.requests
  const system = JSON.stringify(first?.messages.find(({ role }) => role === 'system')?.content)
  expect(system).toContain(JSON.stringify((await shipped('default', 'instructions.txt')).trim()).slice(1, -1))
  expect(system).toContain('both calls in the same turn')
  expect(system).not.toContain('[default_prompt]')
  const canary = (await shipped('canary_web_search_weather', 'tools.txt')).trim().split('\n')
  expect([...(first?.toolNames ?? [])].filter((name) => !name.startsWith('task_')).sort()).toEqual([...canary].sort())
  expect(second?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)

  // What is switched off is gone from the next request.
  await new ProfilesPage(app.page).goTo()
  const screen = new ProfilesPage(app.page)
  await screen.open('canary_web_search_weather')
  await screen.tool(WEATHER).click()
  await screen.saveAll()
  model.script([{ text: 'Nothing to add.' }])
  await companion.goTo('Chat')
  await companion.say('And tomorrow?')
  await companion.settled()
  expect(model.requests.at(-1)?.toolNames).toContain(SEARCH)
  expect(model.requests.at(-1)?.toolNames).not.toContain(WEATHER)
  expect(await readFile(path.join(app.dataDir, 'profiles/canary_web_search_weather/tools.txt'), 'utf8')).toBe(
    (await shipped('canary_web_search_weather', 'tools.txt')).replace(`${WEATHER}\n`, ''),
  )
})
