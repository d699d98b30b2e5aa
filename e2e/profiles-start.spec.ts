import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { CompanionPage } from './pages/companion.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { bytesOf, fileOf, profiles, PROMPT, writeOutside } from './profile-files.ts'
import { text } from './servers/space-tools.ts'
import { startWorld, strings } from './world.ts'

import type { RunningApp } from './app.ts'

/** "Offer tea, or a walk to the café." as an editor of the nineties saved it. */
const LATIN = Buffer.from('You are kind.\nOffer tea, or a walk to the caf\xe9.\nSay good night.\n', 'latin1')

const chosenIn = (name: string): Record<string, string> => ({ REACHY_MINI_CUSTOM_PROFILE: name })

async function speaksAsDefault(app: RunningApp): Promise<void> {
  const companion = new CompanionPage(app.page)
  await companion.goTo('Chat')
  await companion.say('look left')
  await companion.settled()
  await expect(companion.call('move_head')).toContainText('Done')
}

test('a chosen profile that is no text: the app starts with default, says why, and can repair it', async ({
  launchApp,
}) => {
  const files = profiles({ evening: { 'instructions.txt': LATIN, 'tools.txt': 'dance\n' } })
  const app = await launchApp({ files, env: chosenIn('evening') })
  await speaksAsDefault(app)
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await expect(screen.row('default')).toContainText(/in use/i)
  await expect(screen.row('evening')).toContainText('Unreadable')
  await screen.row('evening').click()
  await expect(app.page.getByText('profile/not-utf8').first()).toBeVisible()
  expect(await bytesOf(app, 'evening', 'instructions.txt')).toEqual(LATIN)

  await app.page.getByRole('button', { name: /Windows-1252/ }).click()
  // Set aside under its other name first: for a moment there is no such file.
  const repaired = (): Promise<string> => fileOf(app, 'evening', 'instructions.txt').catch(() => '')
  await expect.poll(repaired).toBe(LATIN.toString('latin1'))
  await expect(screen.row('evening')).toContainText(/in use/i)
  await expect(screen.file('instructions.txt')).toContainText('café')
})

test('a chosen profile that does not exist, or cannot be one, does not stop the start', async ({ launchApp }) => {
  for (const name of ['gone', '../outside', 'con', 'a\nb']) {
    const app = await launchApp({ env: chosenIn(name) })
    await speaksAsDefault(app)
    const answer = await commandOn(app.dataDir, chosenIn(name)).json('profiles', 'list')
    expect(answer, name).toMatchObject({ status: 0, answer: { ok: true, active: 'default' } })
    await app.kill()
  }
})

test('every kind of broken file: it is listed, left alone, and the others work', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({
    files: profiles({
      empty: { 'instructions.txt': '', 'tools.txt': 'dance\n' },
      large: { 'instructions.txt': 'x'.repeat(5_000_000), 'tools.txt': 'dance\n' },
      zero: { ...PROMPT, 'tools.txt': 'dance\0\n' },
      mine: { ...PROMPT, 'tools.txt': 'dance\n' },
    }),
  })
  await mkdir(path.join(app.dataDir, 'profiles/folder/tools.txt'), { recursive: true })
  await writeOutside(app, 'folder', 'instructions.txt', PROMPT['instructions.txt'])
  const screen = new ProfilesPage(app.page)
  await screen.goTo()

  // No prompt of its own is no fault: the one of default is used, and the screen says so.
  await screen.open('empty')
  await expect(screen.tool('dance')).toBeChecked()
  for (const name of ['large', 'zero', 'folder']) {
    await screen.row(name).click()
    await expect(app.page.getByText(/profile\/(unreadable|not-utf8|too-large|long-prompt)/).first(), name).toBeVisible()
  }
  await screen.open('mine')
  await screen.tool('play_emotion').click()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('dance\nplay_emotion\n')
  expect(await fileOf(app, 'zero', 'tools.txt')).toBe('dance\0\n')
  expect((await bytesOf(app, 'large', 'instructions.txt')).length).toBe(5_000_000)
})

test('a profile that is removed while it is on screen loses nothing that was typed', async ({ launchApp }) => {
  const app = await launchApp({ files: profiles({ mine: { ...PROMPT, 'tools.txt': 'dance\n' } }) })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await screen.typeAtEnd('instructions.txt', 'Say it twice.')
  await rm(path.join(app.dataDir, 'profiles', 'mine'), { recursive: true })
  const told = app.page.getByText('mine was removed by another program.')
  await expect(told).toBeVisible()
  await expect(screen.file('instructions.txt')).toContainText('Say it twice.')
  // Put back by the other program: editing goes on where it stopped.
  await writeOutside(app, 'mine', 'instructions.txt', PROMPT['instructions.txt'])
  await writeOutside(app, 'mine', 'tools.txt', 'dance\n')
  await expect(told).toBeHidden()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'instructions.txt')).toBe('You are brief.\nSay it twice.')

  // Removed for good: it is made again from what is on screen.
  await screen.typeAtEnd('instructions.txt', ' And again.')
  await rm(path.join(app.dataDir, 'profiles', 'mine'), { recursive: true })
  await expect(told).toBeVisible()
  await app.page.getByRole('button', { name: 'Make it again' }).click()
  await expect
    .poll(() => fileOf(app, 'mine', 'instructions.txt').catch(() => ''))
    .toBe('You are brief.\nSay it twice. And again.')
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe('dance\n')
})

test('a broken copy of default falls back to the shipped one', async ({ launchApp }) => {
  const app = await launchApp({
    files: profiles({ default: { 'instructions.txt': LATIN, 'tools.txt': Buffer.from([0xff, 0xfe]) } }),
  })
  await speaksAsDefault(app)
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.row('default').click()
  await expect(app.page.getByText('profile/not-utf8').first()).toBeVisible()
  await expect(app.page.getByRole('button', { name: /shipped/i }).first()).toBeVisible()
  await writeFile(path.join(app.dataDir, 'profiles/default/tools.txt'), 'dance\n')
  await expect.poll(async () => (await commandOn(app.dataDir).json('tools', 'list')).answer['profile']).toBe('default')
})

test('one name from a Space and from a file: both are named, neither runs, the rest does', async ({ launchApp }) => {
  const world = await startWorld()
  try {
    const tool = (name: string) => ({ name, description: 'Light.', inputSchema: strings(), run: () => text('done') })
    await world.space('acme/lamp', { tools: [tool('lamp_on'), tool('lamp_off')] })
    const first = await launchApp({ env: world.env })
    const command = commandOn(first.dataDir, world.env)
    expect((await command.run('tool-spaces', 'add', 'acme/lamp')).status).toBe(0)
    await first.kill()
    await mkdir(path.join(first.dataDir, 'external_tools'), { recursive: true })
    const file = "export default { name: 'acme_lamp__on', description: 'Mine.', parameters: {}, run: () => 1 }\n"
    await writeFile(path.join(first.dataDir, 'external_tools/acme_lamp__on.mjs'), file)

    const app = await launchApp({ env: world.env, dataDir: first.dataDir })
    await speaksAsDefault(app)
    const { answer } = await command.json('tools', 'list')
    const listed = (answer['tools'] as { id: string; available: boolean; code?: string; reason?: string }[]).filter(
      ({ id }) => id.startsWith('acme_lamp__'),
    )
    const doubled = listed.filter(({ id }) => id === 'acme_lamp__on')
    expect(doubled.length).toBeGreaterThan(0)
    for (const one of doubled) {
      expect(one).toMatchObject({ available: false, code: 'tools/duplicate-name' })
      expect(one.reason).toContain('acme/lamp')
      expect(one.reason).toContain('acme_lamp__on.mjs')
    }
    expect(listed.find(({ id }) => id === 'acme_lamp__off')).toMatchObject({ available: true })
    expect(await command.json('tools', 'call', 'acme_lamp__off', '{}')).toMatchObject({ status: 0 })
    expect((await command.json('tools', 'call', 'acme_lamp__on', '{}')).status).toBe(1)

    const screen = new ProfilesPage(app.page)
    await screen.goTo()
    await expect(screen.tool('acme_lamp__off')).toBeChecked()
    await expect(app.page.getByText(/acme_lamp__on\.mjs/).first()).toBeVisible()
  } finally {
    await world.close()
  }
})
