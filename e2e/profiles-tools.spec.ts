import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import AxeBuilder from '@axe-core/playwright'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, PROMPT } from './profile-files.ts'
import { text } from './servers/space-tools.ts'
import { modelEnv, startWorld, strings } from './world.ts'

import type { World } from './world.ts'
import type { Locator, Page } from '@playwright/test'

const ROLL = `export default {
  name: 'roll',
  description: 'Rolls a die.',
  parameters: { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] },
  async run({ sides }, { log }) {
    log('rolled one with ' + sides + ' sides')
    return { points: sides }
  },
}
`

const ROOM = `import os

from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies


class Room(Tool):
    name = "room"
    description = "Tells which room this is."
    parameters_schema = {"type": "object", "properties": {}, "required": []}

    async def __call__(self, deps: ToolDependencies, **kwargs):
        handed = []
        for fd in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []:
            try:
                handed.append(os.readlink("/proc/self/fd/" + fd))
            except OSError:
                pass
        # Its own streams are sockets too, the same three for each.
        files = [name for name in handed if "companion-" in name or "/dev/shm" in name or "electron" in name]
        return {"room": "the kitchen", "files of the app": files}
`

const tool = (name: string, ...parameters: string[]) => ({
  name,
  description: `Tells the ${name}.`,
  inputSchema: strings(...parameters),
  run: () => text('fine'),
})

let world: World

test.beforeEach(async () => {
  world = await startWorld()
})
test.afterEach(async () => {
  await world.close()
})

const order = (page: Page): Locator => page.getByRole('list', { name: 'Order of tools.txt' })
/** What a screen reader is told while a line is moved. */
const told = (page: Page): Locator => page.locator('[id^="DndLiveRegion"]')
const used = async (page: Page): Promise<number> => {
  const name = await page.getByRole('img', { name: /tokens used$/ }).getAttribute('aria-label')
  return Number((/^[\d,]+/.exec(name ?? '')?.[0] ?? '').replaceAll(',', ''))
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}

test('tools of a Space are switched one by one and all at once, with the keyboard', async ({ launchApp }) => {
  await world.space('acme/weather', { tools: [tool('now', 'city'), tool('later', 'city'), tool('tides', 'harbour')] })
  const app = await launchApp({
    env: world.env,
    files: profiles({ mine: { ...PROMPT, 'tools.txt': '# mine\ndance\n' } }),
  })
  const { page } = app
  const companion = new CompanionPage(page)
  await companion.goTo('Spaces')
  await companion.install('acme/weather')
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')

  const group = page.getByRole('region', { name: 'weather', exact: true })
  await expect(group).toContainText('acme')
  await expect(group).toContainText('0 of 3 on')
  const all = group.getByRole('checkbox', { name: 'All of weather' })
  await expect(all).not.toBeChecked()
  await screen.tool('acme_weather__later').focus()
  await page.keyboard.press('Space')
  await expect(screen.tool('acme_weather__later')).toBeChecked()
  await expect(all).toHaveAttribute('aria-checked', 'mixed')
  await expect(group).toContainText('1 of 3 on')
  await all.focus()
  await page.keyboard.press('Space')
  await expect(all).toBeChecked()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(
    '# mine\ndance\nacme_weather__later\nacme_weather__now\nacme_weather__tides\n',
  )
  await all.focus()
  await page.keyboard.press('Space')
  await expect(group).toContainText('0 of 3 on')
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('# mine\ndance\n')

  const search = page.getByRole('searchbox', { name: 'Search tools' })
  await search.fill('tells tides')
  await expect(screen.tool('acme_weather__tides')).toBeVisible()
  await expect(screen.tool('dance')).toHaveCount(0)
  // The count is about all of the Space, whatever is shown.
  await expect(group).toContainText('0 of 3 on')
  await search.press('Escape')
  await expect(screen.tool('dance')).toBeVisible()
})

test('what cannot be used says why, is never shown as in use, and unknown lines can be repaired', async ({
  launchApp,
}) => {
  const app = await launchApp({
    files: profiles({ mine: { ...PROMPT, 'tools.txt': '# mine\r\ncamera\r\ndanse # often\r\nnobody_knows_this\r\n' } }),
  })
  const { page } = app
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  const builtIn = page.getByRole('region', { name: 'Built-in', exact: true })
  // Listed, and without effect.
  await expect(screen.tool('camera')).toBeChecked()
  await expect(screen.tool('camera')).toHaveAccessibleDescription(/without effect.*camera/)
  await expect(builtIn).toContainText('0 of 14 on')
  await expect(screen.tool('head_tracking')).toBeDisabled()
  await expect(screen.tool('head_tracking')).toHaveAccessibleDescription(/does not follow faces/)
  await expect(screen.tool('task_status')).toBeChecked()
  await expect(screen.tool('task_status')).toBeDisabled()

  const unknown = page.getByRole('region', { name: 'Lines that name nothing known' })
  await expect(unknown.getByRole('listitem')).toHaveCount(2)
  expect(await violations(page)).toEqual([])
  await unknown.getByRole('button', { name: 'Replace danse with dance' }).click()
  await expect(screen.tool('dance')).toBeChecked()
  await unknown.getByRole('button', { name: 'Remove the line nobody_knows_this' }).click()
  await expect(unknown).toHaveCount(0)
  await screen.tool('camera').click()
  await expect(screen.tool('camera')).toBeDisabled()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('# mine\r\ndance # often\r\n')
})

test('the order of tools.txt is changed with the keyboard, told, cancelled, and kept to the byte', async ({
  launchApp,
}) => {
  const app = await launchApp({
    files: profiles({ mine: { ...PROMPT, 'tools.txt': '# first\r\ndance\r\n# second\r\nmove_head\r\nplay_emotion' } }),
  })
  const { page } = app
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  await page.getByRole('button', { name: 'Order', exact: true }).press('Enter')
  const handle = page.getByRole('button', { name: 'Move move_head' })
  await expect(handle).toHaveAccessibleDescription(/Press Space to pick the line up/)
  await handle.focus()

  await page.keyboard.press('Space')
  await expect(told(page)).toHaveText('move_head picked up. Place 2 of 3.')
  await page.keyboard.press('ArrowUp')
  await expect(told(page)).toHaveText('move_head is over place 1 of 3.')
  await page.keyboard.press('Escape')
  await expect(told(page)).toHaveText('move_head stays at place 2.')
  await expect(screen.save).toBeDisabled()

  await page.keyboard.press('Space')
  await expect(told(page)).toHaveText('move_head picked up. Place 2 of 3.')
  await page.keyboard.press('ArrowUp')
  await expect(told(page)).toHaveText('move_head is over place 1 of 3.')
  await page.keyboard.press('Space')
  await expect(told(page)).toHaveText('move_head dropped at place 1 of 3.')
  await expect(order(page).getByRole('listitem')).toHaveText([/move_head/, /dance/, /play_emotion/])
  await expect(handle).toBeFocused()
  expect(await violations(page)).toEqual([])
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('# second\r\nmove_head\r\n# first\r\ndance\r\nplay_emotion')
})

test('a line is dragged with the pointer', async ({ launchApp }) => {
  const app = await launchApp({
    files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\nmove_head\nplay_emotion\n' } }),
  })
  const { page } = app
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  await page.getByRole('button', { name: 'Order', exact: true }).click()
  const from = await page.getByRole('button', { name: 'Move dance' }).boundingBox()
  const to = await page.getByRole('button', { name: 'Move play_emotion' }).boundingBox()
  if (!from || !to) throw new Error('the handles have no place')
  await page.mouse.move(from.x + 14, from.y + 14)
  await page.mouse.down()
  await page.mouse.move(to.x + 14, to.y + 20, { steps: 8 })
  await page.mouse.up()
  await expect(order(page).getByRole('listitem')).toHaveText([/move_head/, /play_emotion/, /dance/])
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('move_head\nplay_emotion\ndance\n')
})

test('the context meter follows switches and typing', async ({ launchApp }) => {
  const { page } = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  const meter = page.getByRole('group', { name: 'Context' })
  await expect(page.getByRole('img', { name: /^[\d,]+ of 8,192 tokens used$/ })).toBeVisible()
  await expect(meter).toContainText('1 tool, advice above 25')
  await expect(page.getByRole('img', { name: /tokens used$/ })).toHaveAccessibleDescription(
    /Prompt: [\d,]+\. Built-in tools: [\d,]+\..*estimate/,
  )
  const before = await used(page)
  await screen.tool('play_emotion').click()
  await expect(meter).toContainText('2 tools, advice above 25')
  const more = await used(page)
  expect(more).toBeGreaterThan(before + 20)
  await screen.typeAtEnd('instructions.txt', 'Speak of lighthouses, keepers, fog and the sea at night. ')
  await expect.poll(() => used(page)).toBeGreaterThan(more + 8)
  await screen.tool('play_emotion').click()
  await expect.poll(() => used(page)).toBeLessThan(more)
})

test('the meter advises when the prompt alone is more than a small model reads', async ({ launchApp }) => {
  const { page } = await launchApp({
    files: profiles({
      mine: { 'instructions.txt': 'Remember the lighthouse. '.repeat(2_500), 'tools.txt': 'dance\n' },
    }),
  })
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  await expect(page.getByRole('group', { name: 'Context' })).toContainText('Above 8,192 tokens')
})

test('files in JavaScript and Python are read, allowed, called after a yes, and asked for anew when they change', async ({
  launchApp,
}) => {
  test.slow()
  const model = await world.model([
    { toolCalls: [{ name: 'roll', arguments: { sides: 6 } }] },
    { text: 'A six.' },
    { toolCalls: [{ name: 'room', arguments: {} }] },
    { text: 'The kitchen.' },
  ])
  const { page, dataDir } = await launchApp({
    env: { ...world.env, ...modelEnv(model) },
    files: {
      'external_tools/dice.mjs': ROLL,
      'external_tools/room.py': ROOM,
      'external_tools/empty.mjs': 'export const nothing = 1\n',
      ...profiles({ default: { ...PROMPT, 'tools.txt': 'dance\ndice\n' } }),
    },
  })
  const screen = new ProfilesPage(page)
  await screen.goTo()
  const local = page.getByRole('region', { name: 'Local', exact: true })
  await expect(local).toContainText('0 of 3 on')
  await expect(screen.tool('dice')).toHaveAccessibleDescription(/Not allowed to run yet/)

  await page.getByRole('button', { name: 'Allow dice' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Allow dice' })
  await expect(dialog).toContainText(path.join(dataDir, 'external_tools', 'dice.mjs'))
  await expect(dialog.getByRole('region', { name: 'Text of dice.mjs' })).toContainText('Rolls a die.')
  await expect(dialog).toContainText('gets none of this app’s keys')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Allow', exact: true }).press('Enter')
  await expect(dialog).toContainText('It offers one tool:')
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(local).toContainText('1 of 3 on')

  await page.getByRole('button', { name: 'Allow room' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByRole('button', { name: 'Turn on in default' }).click()
  await expect(screen.tool('room')).toBeChecked()
  await screen.saveAll()

  // What offers nothing is not allowed, and says so.
  await page.getByRole('button', { name: 'Allow empty' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('offers no tool')
  await page.keyboard.press('Escape')

  const companion = new CompanionPage(page)
  await companion.goTo('Chat')
  for (const [sentence, id, answer] of [
    ['Roll the dice', 'dice', '"points":6'],
    // It holds none of the app's own files and sockets.
    ['Where are we?', 'room', '"room":"the kitchen","files of the app":[]'],
  ] as const) {
    await companion.say(sentence)
    const card = page.getByRole('group', { name: `Approve ${id}` })
    await expect(card).toContainText('on this computer?')
    await card.getByRole('button', { name: 'Allow once' }).click()
    await companion.settled()
    await expect(companion.call(id)).toContainText(answer)
  }

  await screen.goTo()
  await page.getByRole('button', { name: 'Log of dice' }).click()
  await expect(page.getByRole('log', { name: 'Lines of the log' })).toContainText('rolled one with 6 sides')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')

  await writeFile(path.join(dataDir, 'external_tools', 'dice.mjs'), `${ROLL}// another\n`)
  await expect(screen.tool('dice')).toHaveAccessibleDescription(/Changed since you allowed it/)
  await expect(local).toContainText('1 of 3 on')
  await page.getByRole('button', { name: 'Allow dice' }).click()
  await expect(page.getByRole('dialog')).toContainText('another one than you allowed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More about room' }).click()
  await page.getByRole('menuitem', { name: 'Forbid' }).click()
  await expect(local).toContainText('0 of 3 on')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(local).toContainText('1 of 3 on')
})

test('a new tool file is made from the Local group and works as it is', async ({ launchApp }) => {
  const { page, dataDir } = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('mine')
  await page.getByRole('button', { name: 'New tool file…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New tool file' })
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeFocused()
  await page.keyboard.type('my-dice')
  await expect(dialog).toContainText('Only letters without accents')
  await name.fill('dance')
  await expect(dialog).toContainText('There is a tool of this name already.')
  await name.fill('my_dice')
  await dialog.getByRole('radio', { name: 'TypeScript' }).click()
  await screen.pick(dialog.getByRole('combobox', { name: 'Who may use it' }), 'Only mine')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'my_dice.ts was created' })
  await expect(made).toContainText(path.join(dataDir, 'profiles', 'mine', 'my_dice.ts'))
  expect(await readFile(path.join(dataDir, 'profiles', 'mine', 'my_dice.ts'), 'utf8')).toContain('my_dice')
  await made.getByRole('button', { name: 'Allow my_dice' }).click()
  const allow = page.getByRole('dialog', { name: 'Allow my_dice' })
  await expect(allow).toContainText('Only mine')
  await allow.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(allow).toContainText('It offers one tool:')
  await allow.getByRole('button', { name: 'Turn on in mine' }).click()
  await expect(screen.tool('my_dice')).toBeChecked()
  // It lies in this profile's folder: no other one has it.
  await screen.open('default')
  await expect(screen.tool('dance')).toBeVisible()
  await expect(screen.tool('my_dice')).toHaveCount(0)
})

test('a profile has its own model, permissions and face, and they can be taken back', async ({ launchApp }) => {
  const model = await world.model([{ text: 'One.' }, { text: 'Two.' }])
  const { page } = await launchApp({
    env: { ...world.env, ...modelEnv(model) },
    files: profiles({ default: { ...PROMPT, 'tools.txt': 'dance\nmove_head\n' } }),
  })
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.choose('Model and permissions')
  const dialog = page.getByRole('dialog', { name: 'Model and permissions' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Kitchen helper')
  await dialog.getByRole('slider', { name: 'Tilt' }).focus()
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('radio', { name: 'Plum' }).check()
  await dialog.getByRole('radio', { name: /^Another model/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Type the model’s name')
  await dialog.getByRole('textbox', { name: 'Name of the model' }).fill('qwen3:8b')
  await expect(dialog.getByRole('row', { name: /dance/ })).toContainText('Moves the robot')
  await screen.pick(dialog.getByRole('combobox', { name: 'Permission of dance' }), 'Refuse')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(screen.tool('dance')).toHaveAccessibleDescription(/Refused by this profile’s permissions/)
  await expect(page.getByRole('group', { name: 'Context' })).toContainText('1 tool, advice')

  const companion = new CompanionPage(page)
  await companion.goTo('Chat')
  await companion.say('Dance')
  await companion.settled()
  expect(model.requests[0]?.body['model']).toBe('qwen3:8b')
  expect(model.requests[0]?.toolNames).not.toContain('dance')

  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await screen.goTo()
  await expect(screen.tool('dance')).not.toHaveAccessibleDescription(/Refused/)
  await companion.goTo('Chat')
  await companion.say('Dance now')
  await companion.settled()
  expect(model.requests[1]?.body['model']).toBe('stand-in')
  expect(model.requests[1]?.toolNames).toContain('dance')
})
