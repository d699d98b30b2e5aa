import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, writeOutside } from './profile-files.ts'

const TOOLS = '# mine\r\ndance\r\nmove_head\r\n'
const mine = profiles({ mine: { 'instructions.txt': 'First.\nSecond.\nThird.\n', 'tools.txt': TOOLS } })

test('a change outside is seen at once where nothing is unsaved', async ({ launchApp }) => {
  const app = await launchApp({ files: mine })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await writeOutside(app, 'mine', 'tools.txt', 'dance\nplay_emotion\n')
  await expect(screen.tool('play_emotion')).toBeChecked()
  await expect(screen.tool('move_head')).not.toBeChecked()
  await expect(screen.save).toBeDisabled()
})

test('a change outside of other lines is merged into what is unsaved', async ({ launchApp }) => {
  const app = await launchApp({ files: mine })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await screen.tool('sweep_look').click()
  await screen.typeAtEnd('instructions.txt', 'Fourth.')
  await writeOutside(app, 'mine', 'tools.txt', TOOLS.replace('dance', '# no dances\r\nplay_emotion'))
  await writeOutside(app, 'mine', 'instructions.txt', 'Zeroth.\nFirst.\nSecond.\nThird.\n')
  await expect(screen.tool('play_emotion')).toBeChecked()
  await expect(screen.tool('sweep_look')).toBeChecked()
  await expect(screen.tool('dance')).not.toBeChecked()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(
    '# mine\r\n# no dances\r\nplay_emotion\r\nmove_head\r\nsweep_look\r\n',
  )
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe('Zeroth.\nFirst.\nSecond.\nThird.\nFourth.')
})

test('a change outside of the same line is shown beside the own one, and the person decides', async ({ launchApp }) => {
  const app = await launchApp({ files: mine })
  const screen = new ProfilesPage(app.page)
  const text = screen.file('instructions.txt')
  await screen.goTo()
  await screen.open('mine')
  await text.click()
  await app.page.keyboard.press('Control+Home')
  await app.page.keyboard.type('My ')
  await expect(text).toContainText('My First.')
  await writeOutside(app, 'mine', 'instructions.txt', 'Their First.\nSecond.\nThird.\n')
  await expect(app.page.getByText('profile/changed-outside').first()).toBeVisible()
  // Both texts can be read, and nothing was written.
  await expect(app.page.getByText('Their First.').first()).toBeVisible()
  await expect(app.page.getByText('My First.').first()).toBeVisible()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe('Their First.\nSecond.\nThird.\n')

  await app.page.getByRole('button', { name: /^Keep mine/ }).click()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe('My First.\nSecond.\nThird.\n')

  await text.click()
  await app.page.keyboard.press('Control+Home')
  await app.page.keyboard.type('Again ')
  await writeOutside(app, 'mine', 'instructions.txt', 'Other First.\nSecond.\nThird.\n')
  await app.page.getByRole('button', { name: /^Take theirs/ }).click()
  await expect(text).toContainText('Other First.')
  await expect(text).not.toContainText('Again')
  await expect(screen.save).toBeDisabled()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe('Other First.\nSecond.\nThird.\n')
})

test('the command line and the app write one profile by turns, and neither change is lost', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({ files: mine })
  const command = commandOn(app.dataDir)
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await screen.tool('sweep_look').click()
  expect((await command.run('profiles', 'enable', 'mine', 'play_emotion', 'stop_emotion')).status).toBe(0)
  await expect(screen.tool('play_emotion')).toBeChecked()
  await screen.saveAll()
  expect((await fileOf(app, 'mine', 'tools.txt')).split('\r\n').sort()).toEqual(
    ['', '# mine', 'sweep_look', 'dance', 'move_head', 'play_emotion', 'stop_emotion'].sort(),
  )
  // At the very same time: the lock of the data directory puts one behind the other.
  await screen.tool('go_to_sleep').click()
  const [enabled] = await Promise.all([command.run('profiles', 'enable', 'mine', 'remember'), screen.save.click()])
  expect(enabled.status).toBe(0)
  await screen.saved()
  const lines = (await fileOf(app, 'mine', 'tools.txt')).split('\r\n')
  expect(lines).toContain('remember')
  expect(lines).toContain('go_to_sleep')
  expect((await command.run('profiles', 'use', 'mine')).status).toBe(0)
  await expect(screen.row('mine')).toContainText(/in use/i)
})

test('what was typed and not saved is there again after a kill', async ({ launchApp }) => {
  const first = await launchApp({ files: mine })
  const before = new ProfilesPage(first.page)
  await before.goTo()
  await before.open('mine')
  await before.tool('sweep_look').click()
  await before.typeAtEnd('instructions.txt', 'Unsaved words.')
  await expect(before.row('mine')).toContainText('Unsaved')
  const kept = (): Promise<string> =>
    readFile(path.join(first.dataDir, 'unsaved_profiles.json'), 'utf8').catch(() => '')
  await expect.poll(kept).toMatch(/Unsaved words\..*sweep_look|sweep_look.*Unsaved words\./)
  await first.kill()
  expect(await fileOf(first, 'mine', 'tools.txt')).toBe(TOOLS)

  // Meanwhile another program changed another line.
  await writeOutside(first, 'mine', 'tools.txt', TOOLS.replace('dance', 'play_emotion'))
  const second = await launchApp({ dataDir: first.dataDir })
  const after = new ProfilesPage(second.page)
  await after.goTo()
  await expect(after.row('mine')).toContainText('Unsaved')
  await after.open('mine')
  await expect(after.file('instructions.txt')).toContainText('Unsaved words.')
  await expect(after.tool('sweep_look')).toBeChecked()
  await expect(after.tool('play_emotion')).toBeChecked()
  await after.saveAll()
  expect(await fileOf(second, 'mine', 'tools.txt')).toBe('# mine\r\nplay_emotion\r\nmove_head\r\nsweep_look\r\n')
  expect(await fileOf(second, 'mine', 'instructions.txt')).toBe('First.\nSecond.\nThird.\nUnsaved words.')

  // Saved means forgotten: the next start has nothing unsaved.
  await second.kill()
  const third = await launchApp({ dataDir: first.dataDir })
  const last = new ProfilesPage(third.page)
  await last.goTo()
  await last.open('mine')
  await expect(last.save).toBeDisabled()
  await expect(last.row('mine')).not.toContainText('Unsaved')
})
