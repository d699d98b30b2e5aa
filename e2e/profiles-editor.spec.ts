import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, PROMPT, writeOutside } from './profile-files.ts'

import type { RunningApp } from './app.ts'
import type { Locator, Page } from '@playwright/test'

const BOM = '\uFEFF'
const WRONG = `${BOM}dance # often\r\nplay_emotoin\r\ndance\r\ndo_nothing\r\nnobody_knows_this\r\ncamera\r\nmove_head`

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const combobox = (page: Page): Locator => page.getByRole('combobox', { name: 'Voice' })
const listOf = (page: Page, file: string): Locator => page.getByRole('list', { name: `Problems of ${file}` })

/** Opens the list of a file's problems from its header. */
async function listed(page: Page, file: string): Promise<Locator> {
  await page
    .getByRole('region', { name: file, exact: true })
    .getByRole('button', { name: /\d (problem|note)/ })
    .press('Enter')
  return listOf(page, file)
}

async function showing(app: RunningApp, name = 'mine'): Promise<ProfilesPage> {
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open(name)
  return screen
}

test('every problem of tools.txt is repaired from its list without pointer, and taken back to the byte', async ({
  launchApp,
}) => {
  test.slow()
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': WRONG } }) })
  const { page } = app
  const screen = await showing(app)
  const list = await listed(page, 'tools.txt')
  await expect(list.getByRole('listitem')).toHaveCount(7)
  const item = (text: RegExp): Locator => list.getByRole('listitem').filter({ hasText: text })
  // A tool that cannot run now is told, and nothing about the line is wrong.
  await expect(item(/tools\/unavailable/)).toContainText('no camera is connected')
  await expect(item(/tools\/unavailable/).getByRole('button')).toHaveText(['Go to line 6'])

  for (const [problem, repair] of [
    [/tools\/bom/, 'Remove the mark'],
    [/tools\/inline-comment/, 'Move the comment up'],
    [/play_emotoin/, 'Replace'],
    [/do_nothing is now called/, 'Replace'],
    [/nobody_knows_this/, 'Remove line'],
    [/tools\/duplicate-line/, 'Remove line'],
  ] as const) {
    await item(problem).getByRole('button', { name: repair, exact: true }).press('Enter')
    await expect(item(problem)).toHaveCount(0)
    // The focus stays in the list, on what came in the place of the repaired one.
    await expect(list.locator('button:focus')).toHaveCount(1)
  }
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(
    '# often\r\ndance\r\nplay_emotion\r\nidle_do_nothing\r\ncamera\r\nmove_head',
  )

  await item(/tools\/unavailable/)
    .getByRole('button', { name: 'Go to line 5' })
    .press('Enter')
  await expect(screen.file('tools.txt')).toBeFocused()
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+z')
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(WRONG)
})

test('F8 walks over the problems and says each, Alt Enter repairs', async ({ launchApp }) => {
  const text = 'dance\nplay_emotoin\nmove_head\nnobody_knows_this\n'
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': text } }) })
  const { page } = app
  const screen = await showing(app)
  const editor = screen.file('tools.txt')
  const said = page.getByRole('region', { name: 'tools.txt', exact: true }).locator('.cm-announced')
  await expect(editor).toHaveAccessibleDescription(/F8 goes to the next problem/)
  await expect(page.getByText('2 problems').first()).toBeVisible()
  await editor.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await expect(said).toContainText('Line 2: No tool has the ID play_emotoin.')
  await page.keyboard.press('F8')
  await expect(said).toContainText('Line 4: No tool has the ID nobody_knows_this.')
  await page.keyboard.press('F8')
  await expect(said).toContainText('Line 2:')
  await page.keyboard.press('Shift+F8')
  await expect(said).toContainText('Line 4:')
  await page.keyboard.press('Alt+Enter')
  await expect(editor).not.toContainText('nobody_knows_this')
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByRole('region', { name: 'tools.txt' }).getByRole('button', { name: /problem/ })).toHaveCount(0)
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('dance\nplay_emotion\nmove_head\n')
})

test('known IDs are completed with where they come from; what is not known is not made up', async ({ launchApp }) => {
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const { page } = app
  const screen = await showing(app)
  await screen.typeAtEnd('tools.txt', 'swe')
  const choice = page.getByRole('option', { name: /sweep_look/ })
  await expect(choice).toContainText('Built-in · Looks around slowly')
  // A list that has just opened takes no Enter yet: it may have been meant for a new line.
  await page.waitForTimeout(200)
  await page.keyboard.press('Enter')
  await expect(screen.tool('sweep_look')).toBeChecked()
  await page.keyboard.press('Enter')
  await page.keyboard.type('danc')
  await expect(page.getByRole('option', { name: /^dance/ })).toHaveCount(0)
})

test('undo follows what was changed last, over switches, four files, another profile and another screen', async ({
  launchApp,
}) => {
  const app = await launchApp({
    files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n', 'voice.txt': ' ryan\r\n' } }),
  })
  const { page } = app
  const screen = await showing(app)
  await screen.tool('play_emotion').click()
  await expect(screen.file('tools.txt')).toContainText('play_emotion')
  await screen.typeAtEnd('greeting.txt', 'Say good evening.')
  await expect(combobox(page)).toHaveText(/Ryan/)
  await screen.pick(combobox(page), 'Vivian')
  await screen.open('default')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click()
  await screen.goTo()
  await screen.open('mine')
  await expect(screen.file('greeting.txt')).toContainText('Say good evening.')

  await button(page, 'Undo').click()
  await expect(combobox(page)).toHaveText(/Ryan/)
  await button(page, 'Undo').click()
  await expect(screen.file('greeting.txt')).not.toContainText('Say good evening.')
  // The focus is on a button, not in an editor.
  await page.keyboard.press('Control+z')
  await expect(screen.tool('play_emotion')).not.toBeChecked()
  await expect(screen.save).toBeDisabled()
  await page.keyboard.press('Control+Shift+z')
  await expect(screen.tool('play_emotion')).toBeChecked()
  for (const _ of ['greeting', 'voice']) await button(page, 'Redo').click()
  await expect(combobox(page)).toHaveText(/Vivian/)
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('dance\nplay_emotion\n')
  expect(await fileOf(app, 'mine', 'voice.txt')).toBe(' Vivian\r\n')
  expect(await fileOf(app, 'mine', 'greeting.txt')).toBe('Say good evening.')

  await screen.pick(combobox(page), 'Robot’s default')
  await screen.saveAll()
  await expect(fileOf(app, 'mine', 'voice.txt')).rejects.toThrow(/ENOENT/)
})

test('cursor and place of an editor are there again after another profile', async ({ launchApp }) => {
  const lines = Array.from({ length: 80 }, (_, i) => `Line ${i}.`).join('\n')
  const app = await launchApp({ files: profiles({ mine: { 'instructions.txt': lines, 'tools.txt': 'dance\n' } }) })
  const { page } = app
  const screen = await showing(app)
  await screen.file('instructions.txt').click()
  await page.keyboard.press('Control+End')
  await expect(screen.file('instructions.txt')).toContainText('Line 79.')
  await screen.open('default')
  await screen.open('mine')
  await expect(screen.file('instructions.txt')).toContainText('Line 79.')
  await screen.file('instructions.txt').focus()
  await page.keyboard.type(' The end.')
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe(`${lines} The end.`)
})

test('placeholders say what they stand for, the whole prompt can be read, and they are written out on request', async ({
  launchApp,
}) => {
  const source = '[identities/basic_info]\r\nBe brief.\r\n[house_rules]\r\n'
  const app = await launchApp({ files: profiles({ mine: { 'instructions.txt': source, 'tools.txt': 'dance\n' } }) })
  const { page } = app
  const screen = await showing(app)
  await screen.file('instructions.txt').click()
  await page.keyboard.press('Control+Home')
  await expect(page.getByText('Stands for:').first()).toBeVisible()
  await expect(page.getByText('You are Reachy Mini, a small white desktop robot').first()).toBeVisible()

  await button(page, 'What the model reads').click()
  const dialog = page.getByRole('dialog', { name: 'What the model reads' })
  const parts = dialog.getByRole('list', { name: 'Parts of the prompt' }).getByRole('listitem')
  await expect(parts).toHaveCount(3)
  await expect(parts.nth(0)).toContainText(/Placeholder \[identities\/basic_info\]\d+ tokens/)
  await expect(parts.nth(1)).toContainText(/This profile\d+ tokensBe brief/)
  await expect(parts.nth(2)).toContainText('Added by the app')
  await expect(dialog).toContainText(/\d+ tokens in all, an estimate/)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Write out placeholders' }).click()
  await expect(dialog).toBeHidden()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toMatch(
    /^You are Reachy Mini, [^\n]*\r\nBe brief\.\r\n\[house_rules\]\r\n$/,
  )

  // The unknown one is read out to people as it stands: a heading, or nothing.
  const list = await listed(page, 'instructions.txt')
  await expect(list).toContainText('[house_rules] is not a known placeholder')
  await list.getByRole('button', { name: 'Make it a heading' }).press('Enter')
  await expect(list).toHaveCount(0)
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toMatch(/\r\n## house_rules\r\n$/)
})

test('tools that the prompt never mentions are named, a long prompt is told with the reason', async ({ launchApp }) => {
  const tool = 'export default { name: "x", description: "Waters.", parameters: { type: "object" }, async run() {} }\n'
  const app = await launchApp({
    files: {
      'external_tools/water_the_plants.mjs': tool,
      ...profiles({ mine: { 'instructions.txt': 'Be brief. '.repeat(200), 'tools.txt': 'dance\nwater_the_plants\n' } }),
    },
  })
  const { page } = app
  const screen = await showing(app)
  const region = page.getByRole('region', { name: 'instructions.txt', exact: true })
  await expect(region).toContainText('The instructions are long')
  await expect(region).toContainText('Voice models follow short instructions better')
  // A tool that may not run yet is nothing that the prompt had to speak of.
  await expect(region).not.toContainText('never mentioned')
  expect(
    (await commandOn(app.dataDir).run('tools', 'allow', 'water_the_plants', '--profile', 'mine', '--yes')).status,
  ).toBe(0)
  await expect(region).toContainText('never mentioned in the prompt: water_the_plants')
  await screen.file('instructions.txt').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Be brief. Use water_the_plants on Fridays.')
  await expect(region).not.toContainText('The instructions are long')
  await expect(region).not.toContainText('never mentioned')
})

test('a text that cannot be saved stays on the screen with the reason, and is saved when it can be', async ({
  launchApp,
}) => {
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const { page } = app
  const screen = await showing(app)
  await screen.typeAtEnd('greeting.txt', 'Say hello.')
  const blocked = path.join(app.dataDir, 'profiles', 'mine', 'greeting.txt')
  await mkdir(blocked)
  await screen.save.click()
  await expect(page.getByText(/profile\/(read-only|changed-outside|unreadable)/).first()).toBeVisible()
  await expect(screen.file('greeting.txt')).toContainText('Say hello.')
  await rm(blocked, { recursive: true })
  const written = (): Promise<string> => readFile(blocked, 'utf8').catch(() => '')
  await expect(async () => {
    const keep = page.getByRole('button', { name: /^Keep mine/ })
    // Gone again by itself as soon as the folder is seen to be away.
    if (await keep.isVisible()) await keep.click({ timeout: 1_000 })
    // What an earlier round saved leaves nothing to press.
    if (await screen.save.isEnabled()) await screen.save.click({ timeout: 1_000 })
    expect(await written()).toBe('Say hello.')
  }).toPass({ timeout: 15_000 })
})

test('a file that was removed outside is a decision; the version not taken comes back with Undo', async ({
  launchApp,
}) => {
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const { page } = app
  const screen = await showing(app)
  await screen.tool('play_emotion').click()
  await expect(screen.file('tools.txt')).toContainText('play_emotion')
  await rm(path.join(app.dataDir, 'profiles', 'mine', 'tools.txt'))
  await expect(page.getByText('The file was removed outside.')).toBeVisible()
  await button(page, 'Take theirs: tools.txt').click()
  await expect(page.getByText('No file of its own')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(screen.file('tools.txt')).toHaveText(/dance\s*play_emotion/)
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('dance\nplay_emotion\n')
})

test('merged changes are told once', async ({ launchApp }) => {
  const app = await launchApp({
    files: profiles({ mine: { 'instructions.txt': 'First.\nSecond.\nThird.\n', 'tools.txt': 'dance\n' } }),
  })
  const { page } = app
  const screen = await showing(app)
  await screen.typeAtEnd('instructions.txt', 'Mine.')
  await writeOutside(app, 'mine', 'instructions.txt', 'Theirs.\nSecond.\nThird.\n')
  const told = page.getByText('instructions.txt: changed outside; both changes are kept.')
  await expect(told).toBeVisible()
  await expect(screen.file('instructions.txt')).toHaveText(/Theirs\.\s*Second\.\s*Third\.\s*Mine\./)
  await button(page, 'OK').click()
  await expect(told).toHaveCount(0)
})

test('a big file opens, and is edited at its end', async ({ launchApp }) => {
  const line = 'You are brief and kind to everyone who comes by.\n'
  const text = line.repeat(10_000)
  const app = await launchApp({ files: profiles({ mine: { 'instructions.txt': text, 'tools.txt': 'dance\n' } }) })
  const screen = await showing(app)
  await screen.typeAtEnd('instructions.txt', 'Really.')
  await expect(screen.file('instructions.txt')).toContainText('Really.')
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe(`${text}Really.`)
})
