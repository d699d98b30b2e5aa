import { readdir } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { profiles, PROMPT } from './profile-files.ts'

/** A way out of the folder, an absolute path, devices of Windows, line breaks, what no folder can be called everywhere. */
const REFUSED = [
  '../x',
  '..',
  '/abs',
  'C:\\x',
  'con',
  'NUL',
  'com1',
  'a\nb',
  'a/b',
  'a b',
  'é',
  '.hidden',
  'x'.repeat(65),
]

test('names that are paths, devices or several lines are refused wherever a command takes one', async ({
  launchApp,
}) => {
  test.slow()
  const { dataDir } = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const command = commandOn(dataDir)
  const before = await readdir(dataDir, { recursive: true })
  for (const args of [
    ...REFUSED.map((name) => ['profiles', 'show', name]),
    ['profiles', 'use', '../x'],
    ['profiles', 'enable', '../x', 'dance'],
    ['profiles', 'check', '../x'],
    ['profiles', 'disable', '../x', 'dance'],
    ['profiles', 'export', '../x', '--out', path.join(dataDir, 'out')],
    ['tools', 'list', '--profile', '../x'],
    ['chat', 'hello', '--profile', '../x', '--provider', 'offline'],
  ]) {
    expect(await command.json(...args), args.join(' ')).toMatchObject({
      status: 1,
      answer: { ok: false, error: { code: 'profile/bad-name' } },
    })
  }
  const written = (await readdir(dataDir, { recursive: true })).filter((entry) => !before.includes(entry))
  expect(written.filter((entry) => entry.startsWith('profiles'))).toEqual([])
})

test('the same in the window: for a new profile and for another name', async ({ launchApp }) => {
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  const folders = (): Promise<string[]> => readdir(path.join(app.dataDir, 'profiles'))

  await app.page.getByRole('button', { name: 'New profile' }).click()
  const dialog = app.page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  // A text field holds one line; more than that is for the command line above.
  for (const refused of [...REFUSED.filter((text) => !text.includes('\n')), 'mine', 'MINE']) {
    await name.fill(refused)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(name, refused).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog).toBeVisible()
  }
  expect(await folders()).toEqual(['mine'])
  await app.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await screen.open('mine')
  await screen.choose('Rename')
  const other = dialog.getByRole('textbox', { name: 'Name', exact: true })
  for (const refused of ['../x', 'con', 'default']) {
    await other.fill(refused)
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await expect(other, refused).toHaveAttribute('aria-invalid', 'true')
  }
  expect(await folders()).toEqual(['mine'])
  await other.fill('evening')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(dialog).toBeHidden()
  await expect(screen.row('evening')).toBeVisible()
  expect(await folders()).toEqual(['evening'])
})

test('a page that asks past the window is refused too', async ({ launchApp }) => {
  const app = await launchApp()
  const codes = await app.page.evaluate(async (names) => {
    const bridge = (window as unknown as { companion: { request(route: string, payload: unknown): Promise<unknown> } })
      .companion
    const ask = (route: string, payload: unknown): Promise<unknown> => bridge.request(route, payload)
    const answers: unknown[] = []
    for (const name of names) {
      answers.push(await ask('profiles.read', { name }), await ask('profiles.create', { name, from: 'default' }))
      answers.push(await ask('profiles.rename', { name: 'default', to: name }), await ask('profiles.use', { name }))
    }
    return answers.map((answer) => (answer as { ok: boolean }).ok)
  }, REFUSED)
  expect(codes.filter(Boolean)).toEqual([])
  expect(await readdir(path.join(app.dataDir, 'profiles')).catch(() => [])).toEqual([])
})
