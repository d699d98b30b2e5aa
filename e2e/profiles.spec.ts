import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'

const OFFLINE = { HF_ENDPOINT: 'http://127.0.0.1:9' }

/** A data directory with one profile of the person's own, in the given bytes. */
async function withProfile(toolsText: string | Buffer): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-profiles-'))
  const folder = path.join(dataDir, 'profiles', 'mine')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'instructions.txt'), 'You are brief.\n')
  await writeFile(path.join(folder, 'tools.txt'), toolsText)
  return dataDir
}

const toolsOf = (dataDir: string): Promise<string> => readFile(path.join(dataDir, 'profiles/mine/tools.txt'), 'utf8')

test('a switch changes its own line and no other byte', async ({ launchApp }) => {
  const before = '\uFEFF# my tools\r\n\r\ncamera   # keep\r\nfoo\r\nmove_head'
  const dataDir = await withProfile(before)
  const { page } = await launchApp({ env: OFFLINE, dataDir })
  const app = new CompanionPage(page)
  await app.goTo('Profiles')
  await page.getByRole('list', { name: 'Profiles' }).getByText('mine', { exact: true }).click()
  await page.getByRole('switch', { name: 'dance', exact: true }).click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.poll(() => toolsOf(dataDir)).toBe(`${before}\r\ndance\r\n`)
  await page.getByRole('switch', { name: 'move_head', exact: true }).click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.poll(() => toolsOf(dataDir)).toBe('\uFEFF# my tools\r\n\r\ncamera   # keep\r\nfoo\r\ndance\r\n')
})

test('the plain file is the same document as the switches', async ({ launchApp }) => {
  const dataDir = await withProfile('dance\n')
  const { page } = await launchApp({ env: OFFLINE, dataDir })
  const app = new CompanionPage(page)
  await app.goTo('Profiles')
  await page.getByRole('list', { name: 'Profiles' }).getByText('mine', { exact: true }).click()
  const file = page.getByRole('textbox', { name: 'tools.txt' })
  await expect(page.getByRole('switch', { name: 'dance', exact: true })).toBeChecked()
  await file.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('play_emotion\n')
  await expect(page.getByRole('switch', { name: 'play_emotion', exact: true })).toBeChecked()
  await page.getByRole('switch', { name: 'dance', exact: true }).click()
  await expect(file).not.toContainText('dance')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.poll(() => toolsOf(dataDir)).toBe('play_emotion\n')
})

test('a file that is not text is shown and never written', async ({ launchApp }) => {
  const bytes = Buffer.from([0x64, 0x61, 0xff, 0xfe, 0x0a])
  const dataDir = await withProfile(bytes)
  const { page } = await launchApp({ env: OFFLINE, dataDir })
  const app = new CompanionPage(page)
  await app.goTo('Profiles')
  await page.getByRole('list', { name: 'Profiles' }).getByText('mine', { exact: true }).click()
  await expect(page.getByText('profile/not-utf8').first()).toBeVisible()
  expect(await readFile(path.join(dataDir, 'profiles/mine/tools.txt'))).toEqual(bytes)
})
