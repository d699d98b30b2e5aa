import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { startWorld } from './world.ts'

const SECRETS = { key: 'sk-testKey0123456789abcdef', token: 'hf_testToken0123456789abcdef' }

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

test('a model is set, tested and used; neither key nor token is in any file or in the page', async ({ launchApp }) => {
  const world = await startWorld()
  try {
    const model = await world.model(() => ({ text: 'Hello from the model.' }), { key: SECRETS.key })
    const { page, dataDir, close } = await launchApp({ env: world.env })
    const app = new CompanionPage(page)
    await app.goTo('Settings')
    await page.getByRole('textbox', { name: 'Model address', exact: true }).fill(model.url)
    await page.getByRole('textbox', { name: 'Model', exact: true }).fill('stand-in')
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(page.getByText('provider/unauthorized')).toBeVisible()
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill(SECRETS.key)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(page.getByText(/Answered in/)).toBeVisible()
    await page.getByRole('textbox', { name: 'Hugging Face token', exact: true }).fill(SECRETS.token)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await page.content()).not.toContain(SECRETS.key)

    await app.goTo('Chat')
    await app.say('Hello')
    await app.settled()
    await expect(app.log).toContainText('Hello from the model.')
    expect(model.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${SECRETS.key}`)
    await close()

    const bytes = await Promise.all(
      (await filesBelow(dataDir)).map(async (file) => ({ file, text: await readFile(file, 'latin1') })),
    )
    expect(bytes.length).toBeGreaterThan(0)
    for (const secret of Object.values(SECRETS)) {
      expect(bytes.filter(({ text }) => text.includes(secret)).map(({ file }) => file)).toEqual([])
    }
  } finally {
    await world.close()
  }
})

test('language and theme change at once and are remembered', async ({ launchApp }) => {
  const first = await launchApp({ env: { HF_ENDPOINT: 'http://127.0.0.1:9' } })
  await new CompanionPage(first.page).goTo('Settings')
  await first.page.getByRole('combobox', { name: 'Language' }).click()
  await first.page.getByRole('option', { name: 'Français' }).click()
  await expect(first.page.getByRole('heading', { level: 1, name: 'Réglages' })).toBeVisible()
  await first.page.getByRole('radio', { name: 'Sombre' }).click()
  await expect(first.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await first.close()

  const second = await launchApp({ env: { HF_ENDPOINT: 'http://127.0.0.1:9' }, dataDir: first.dataDir })
  await expect(second.page.getByRole('heading', { level: 1, name: 'Réglages' })).toBeVisible()
  await expect(second.page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
