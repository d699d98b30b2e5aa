import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { zipSync } from 'fflate'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles } from './profile-files.ts'
import { startWorld } from './world.ts'

import type { ProfileContents } from './profile-files.ts'

/** As odd as a folder can be that is still text. */
const ODD: ProfileContents = {
  'instructions.txt': '\uFEFFYou are kind.\r\n\r\n[x] stays inside a line.\r\nNo newline at the end: 你好, café',
  'tools.txt': '# mine\r\n\r\n  dance  \r\nmove_head # soft\r\nunknown_tool\r\ndance',
  'voice.txt': 'Vivian',
  'greeting.txt': 'Say hello.\n\n',
}

const temporary = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'companion-exchange-'))

async function filesUnder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const read = files.map(async (file) => [path.relative(folder, file), await readFile(file, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('the command line takes a profile out and in again without changing a byte', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({ files: profiles({ odd: ODD }) })
  const out = path.join(await temporary(), 'odd')
  const command = commandOn(app.dataDir)
  expect(await command.json('profiles', 'export', 'odd', '--format', 'folder', '--out', out)).toMatchObject({
    status: 0,
    answer: { ok: true, profile: 'odd', path: out },
  })
  expect(await filesUnder(out)).toMatchObject(ODD)
  // Nothing that exists is overwritten.
  expect((await command.json('profiles', 'export', 'odd', '--format', 'folder', '--out', out)).answer).toMatchObject({
    ok: false,
    error: { code: 'profile/exists' },
  })

  const other = { dataDir: await temporary() }
  const there = commandOn(other.dataDir)
  expect(await there.json('profiles', 'import', out)).toMatchObject({ status: 0, answer: { ok: true, profile: 'odd' } })
  for (const [file, content] of Object.entries(ODD)) expect(await fileOf(other, 'odd', file), file).toBe(content)
  expect((await there.json('profiles', 'import', out)).answer).toMatchObject({ error: { code: 'profile/exists' } })
})

test('profile.md says the same as the four files, both ways', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({ files: profiles({ odd: ODD }) })
  const out = path.join(await temporary(), 'odd')
  const command = commandOn(app.dataDir)
  const exported = await command.json('profiles', 'export', 'odd', '--format', 'profile-md', '--out', out)
  expect(exported).toMatchObject({ status: 0, answer: { ok: true } })
  // Comments of tools.txt have no place in it, and that is said.
  expect(exported.answer['problems']).toContainEqual(expect.objectContaining({ code: 'profile/not-held' }))
  const written = Object.entries(await filesUnder(out)).find(([name]) => name.endsWith('profile.md'))?.[1] ?? ''
  expect(written).toMatch(/^\+\+\+\nschema_version = 1\n/)
  expect(written).toContain('voice = "Vivian"')
  expect(written).toMatch(/\n\+\+\+\n\nYou are kind\./)

  const other = { dataDir: await temporary() }
  const there = commandOn(other.dataDir)
  const imported = await there.json('profiles', 'import', out)
  expect(imported).toMatchObject({ status: 0 })
  const name = String(imported.answer['profile'])
  const [before, after] = await Promise.all([
    command.json('profiles', 'show', 'odd'),
    there.json('profiles', 'show', name),
  ])
  for (const key of ['tools', 'voice', 'greeting', 'inherits'])
    expect(after.answer[key], key).toEqual(before.answer[key])
})

test('an archive with ways out of its folder is taken over without them', async ({ launchApp }) => {
  const app = await launchApp()
  const folder = await temporary()
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  const archive = path.join(folder, 'evil.zip')
  await writeFile(
    archive,
    zipSync({
      'nice/instructions.txt': text('You are nice.\n'),
      'nice/tools.txt': text('dance\n'),
      'nice/steal.py': text('print("no")\n'),
      '../../outside/instructions.txt': text('Out.\n'),
      '/abs/instructions.txt': text('Abs.\n'),
      'con/instructions.txt': text('Device.\n'),
    }),
  )
  const { status, answer } = await commandOn(app.dataDir).json('profiles', 'import', archive)
  expect(status, JSON.stringify(answer)).toBe(0)
  const folders = await readdir(path.join(app.dataDir, 'profiles'))
  expect(folders).toContain('nice')
  expect(folders.filter((name) => /^(outside|abs|con)$/i.test(name))).toEqual([])
  expect(await readdir(path.join(app.dataDir, 'profiles/nice'))).not.toContain('steal.py')
  expect(JSON.stringify(answer['problems'])).toContain('profile/python-not-copied')
})

test('a folder that holds no profile, and one that does not exist, are said to be so', async ({ launchApp }) => {
  const app = await launchApp()
  const folder = await temporary()
  await mkdir(path.join(folder, 'empty'))
  const command = commandOn(app.dataDir)
  expect((await command.json('profiles', 'import', folder)).answer).toMatchObject({
    ok: false,
    error: { code: 'profile/no-profiles' },
  })
  expect((await command.json('profiles', 'import', path.join(folder, 'nowhere'))).status).toBe(1)
  expect(await readdir(path.join(app.dataDir, 'profiles')).catch(() => [])).toEqual([])
})

test('in the window: taken out as a zip, brought in under another name, and taken back', async ({ launchApp }) => {
  const app = await launchApp({ files: profiles({ odd: ODD }) })
  const { page } = app
  const archive = path.join(await temporary(), 'odd.zip')
  await app.app.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file })
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] })
  }, archive)
  const screen = new ProfilesPage(page)
  await screen.goTo()
  await screen.open('odd')
  await screen.choose('Export…')
  const out = page.getByRole('dialog', { name: 'Export odd' })
  await screen.pick(out.getByRole('combobox', { name: 'As' }), 'Zip')
  await expect(out).toContainText('instructions.txt')
  await out.getByRole('button', { name: 'Choose a place…' }).click()
  await expect(out).toBeHidden()
  await expect(page.getByText(`odd was written to ${archive}.`)).toBeVisible()

  await screen.chooseForAll('Import a zip or profile.md…')
  const dialog = page.getByRole('dialog', { name: 'Import profiles' })
  await expect(dialog).toContainText('You are kind.')
  const name = dialog.getByRole('textbox', { name: 'Name of odd' })
  const submit = dialog.getByRole('button', { name: /^Import \d/ })
  for (const refused of ['../x', 'con', 'odd', 'ODD']) {
    await name.fill(refused)
    await expect(name).toHaveAttribute('aria-invalid', 'true')
  }
  await name.fill('even')
  await submit.click()
  await dialog.getByRole('button', { name: 'Done' }).or(screen.row('even')).first().waitFor()
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(screen.row('even')).toBeVisible()
  for (const [file, content] of Object.entries(ODD)) expect(await fileOf(app, 'even', file), file).toBe(content)
  await screen.undoToast('even')
  await expect(screen.row('even')).toBeHidden()
  expect(await readdir(path.join(app.dataDir, 'profiles'))).not.toContain('even')
})

test('in the window: a folder of the robot app with both formats is edited in its place', async ({ launchApp }) => {
  const theirs = await temporary()
  const at = path.join(theirs, 'user_personalities', 'harbour')
  await mkdir(at, { recursive: true })
  await writeFile(path.join(at, 'instructions.txt'), 'You watch the harbour.\r\n')
  await writeFile(path.join(at, 'tools.txt'), 'dance\r\nmove_head')
  await writeFile(path.join(theirs, 'startup_settings.json'), '{\n  "profile": "user_personalities/harbour"\n}\n')
  const app = await launchApp()
  await app.app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] })
  }, theirs)
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.chooseForAll(/^Edit a robot app’s folder…/)
  await screen.open('harbour')
  await screen.tool('play_emotion').click()
  await screen.saveAll()
  expect(await readFile(path.join(at, 'tools.txt'), 'utf8')).toBe('dance\r\nmove_head\r\nplay_emotion\r\n')
  expect(await readFile(path.join(at, 'instructions.txt'), 'utf8')).toBe('You watch the harbour.\r\n')
  expect(await readdir(path.join(app.dataDir, 'profiles')).catch(() => [])).not.toContain('harbour')
  await screen.chooseForAll('Close the robot app’s folder')
  await expect(screen.row('harbour')).toBeHidden()
})

test('in the window: profiles of a repository are looked at before anything is taken over', async ({ launchApp }) => {
  const world = await startWorld()
  try {
    world.hub.repositories.push({
      kind: 'datasets',
      id: 'acme/personalities',
      files: {
        'README.md': '# Ours\n',
        'lighthouse/instructions.txt': 'You keep the light.\n',
        'lighthouse/tools.txt': 'dance\nmove_head\n',
        'lighthouse/steal.py': 'print("no")\n',
      },
    })
    const app = await launchApp({ env: world.env })
    const { page } = app
    const screen = new ProfilesPage(page)
    await screen.goTo()
    await screen.chooseForAll('Import from Hugging Face…')
    const dialog = page.getByRole('dialog', { name: 'Import profiles' })
    await dialog.getByRole('textbox', { name: 'Repository' }).fill('https://huggingface.co/datasets/acme/personalities')
    await dialog.getByRole('button', { name: 'Look' }).click()
    await expect(dialog).toContainText('You keep the light.')
    await expect(dialog).toContainText('steal.py')
    await dialog.getByRole('button', { name: 'Import 1 profile' }).click()
    await dialog.getByRole('button', { name: 'Done' }).or(screen.row('lighthouse')).first().waitFor()
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(screen.row('lighthouse')).toBeVisible()
    expect(await readdir(path.join(app.dataDir, 'profiles/lighthouse'))).toEqual(['instructions.txt', 'tools.txt'])
  } finally {
    await world.close()
  }
})
