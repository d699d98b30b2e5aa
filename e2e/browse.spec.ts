import { readFile } from 'node:fs/promises'
import path from 'node:path'

import AxeBuilder from '@axe-core/playwright'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { listenOnLoopback } from './servers/http.ts'
import { postcard } from './servers/png.ts'
import { text } from './servers/space-tools.ts'
import { startWorld, strings } from './world.ts'

import type { LoopbackServer } from './servers/http.ts'
import type { SpaceTool } from './servers/space.ts'
import type { World } from './world.ts'
import type { Page } from '@playwright/test'

const PAINTER = 'atelier-nord/postcard-painter'
const SEEDS = ['search', 'time', 'weather'].map((name) => `pollen-robotics/reachy-mini-${name}-tool`)

let world: World
let pictures: LoopbackServer
let asked: string[]

test.beforeEach(async () => {
  world = await startWorld()
  asked = []
  pictures = await listenOnLoopback((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png' }).end(postcard('hero'))
  })
})
test.afterEach(async () => {
  await world.close()
  await pictures.close()
})

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}

const list = (page: Page) => page.getByRole('list', { name: 'Spaces' })
const searches = (): string[] =>
  world.hub.requests.map(({ url }) => url).filter((url) => url.startsWith('/api/spaces?'))

/** A catalogue of several pages, the starting Spaces near its end. */
function fill(count: number): void {
  for (let i = 0; i < count; i += 1) {
    world.hub.spaces.push({
      id: `acme/tool-${String(i).padStart(3, '0')}`,
      title: `Tool ${i}`,
      likes: 1_000 - i,
      tags: ['reachy-mini-tool', 'mcp-server', ...(i % 50 === 0 ? ['mcp'] : [])],
      stage: i % 40 === 0 ? 'RUNNING' : 'SLEEPING',
    })
  }
  for (const id of SEEDS) world.hub.spaces.push({ id, likes: 1, tags: ['reachy-mini-tool', 'mcp-server'] })
}

const paint: SpaceTool = {
  name: 'postcard_painter_paint_postcard',
  description: 'Paints a 3:2 postcard from a description and returns the picture.',
  inputSchema: {
    type: 'object',
    properties: {
      prompt: { type: 'string', description: 'What to paint' },
      style: { type: 'string', enum: ['gouache', 'linocut', 'ligne claire'], default: 'gouache' },
      seed: { type: 'integer', minimum: 0, default: 1704 },
    },
    required: ['prompt'],
  },
  run: ({ prompt, style, seed }) => ({
    content: [
      { type: 'image', mimeType: 'image/png', data: postcard(JSON.stringify(prompt)).toString('base64') },
      { type: 'text', text: `${JSON.stringify(style)}, seed ${JSON.stringify(seed)}` },
    ],
  }),
}

const readme = (): string =>
  [
    '---',
    'title: Postcard Painter',
    '---',
    '# Postcard Painter',
    'Describe a place in one sentence and get a postcard <b>back</b>.',
    '<script>document.title = "taken over"</script>',
    '<iframe src="https://example.com"></iframe>',
    `![a harbour](${pictures.url}/hero.png)`,
    '',
    '```py',
    'client.predict("a quay")',
    '```',
    '',
    '[more](docs/more.md) [bad](javascript:alert(1))',
    '',
  ].join('\n')

async function painter(more: SpaceTool[] = []): Promise<void> {
  await world.space(
    PAINTER,
    { tools: [paint, { name: 'postcard_painter_list_styles', inputSchema: strings(), run: () => text('8') }, ...more] },
    { title: 'Postcard Painter', emoji: '🖼️', likes: 312, readme: readme(), hardware: 'zero-a10g' },
  )
}

test('a long catalogue: the starting Spaces first, read on while one scrolls, and where one was on the way back', async ({
  launchApp,
}) => {
  fill(150)
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await expect(list(page).getByRole('article')).toHaveCount(60)
  const first = await list(page)
    .getByRole('article')
    .evaluateAll((all) => all.slice(0, 4).map((one) => one.ariaLabel))
  expect(first).toEqual([...SEEDS, 'acme/tool-000'])

  const pages = searches().length
  await list(page).getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(list(page).getByRole('article')).toHaveCount(120)
  await list(page).getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(list(page).getByRole('article')).toHaveCount(153)
  expect(searches().length - pages).toBe(2)
  const names = await list(page)
    .getByRole('article')
    .evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(new Set(names).size).toBe(153)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)

  const card = app.spaceCard('acme/tool-140')
  await card.scrollIntoViewIfNeeded()
  await card.getByRole('button', { name: 'Tool 140' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tool 140' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toBeInViewport()
  await expect(card.getByRole('button', { name: 'Tool 140' })).toBeFocused()
  await expect(list(page).getByRole('article')).toHaveCount(153)
})

test('filters and a query ask for what they say; a query without an answer offers wider ones', async ({
  launchApp,
}) => {
  fill(60)
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await expect(app.spaceCard('acme/tool-001')).toBeVisible()
  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Tagged MCP' }).click()
  await expect(list(page).getByRole('article')).toHaveCount(2)
  await filters.getByRole('button', { name: 'For Reachy Mini' }).click()
  await filters.getByRole('button', { name: 'Running now' }).click()
  await expect(list(page).getByRole('article')).toHaveCount(5)
  await filters.getByRole('button', { name: 'Official' }).click()
  await expect(list(page).getByRole('article')).toHaveCount(3)

  await page.getByRole('searchbox', { name: 'Search Spaces' }).fill('xylophone zither')
  await expect(page.getByText('No Space matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(app.spaceCard('acme/tool-001')).toBeVisible()
})

test('twelve letters typed cost at most three requests, and only their own answer is shown', async ({ launchApp }) => {
  fill(12)
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await expect(app.spaceCard('acme/tool-001')).toBeVisible()
  const before = world.hub.requests.length
  await page.getByRole('searchbox', { name: 'Search Spaces' }).pressSequentially('acme/tool-00', { delay: 80 })
  await expect(list(page).getByRole('article')).toHaveCount(10)
  expect(world.hub.requests.length - before).toBeLessThanOrEqual(3)
  expect(searches().at(-1)).toContain('search=acme%2Ftool-00')
})

test('a Space looked at: its README without what runs, a picture on request, its tools tried, nothing written', async ({
  launchApp,
}) => {
  test.slow()
  await painter([{ name: 'postcard_painter_upload', inputSchema: { type: 'array' }, run: () => text('no') }])
  const { app: electron, page, dataDir } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await app.spaceCard(PAINTER).getByRole('button', { name: 'Postcard Painter' }).click()

  const about = page.getByRole('region', { name: 'README' })
  await expect(about.getByRole('heading', { name: 'Postcard Painter' })).toBeVisible()
  await expect(about).toContainText('Left out: 2 scripts, 1 frame.')
  await expect(about.getByText('bad')).toBeVisible()
  await expect(about.getByRole('link')).toHaveCount(0)
  expect(asked).toEqual([])
  await about.getByRole('button', { name: `Load the picture from ${new URL(pictures.url).host}` }).click()
  const picture = about.getByRole('img', { name: 'a harbour' })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  expect(asked).toEqual(['/hero.png'])

  const tools = page.getByRole('region', { name: 'Tools' })
  await tools.getByRole('button', { name: 'Connect to see its tools' }).click()
  await expect(tools).toContainText('3 tools, 2 usable')
  await expect(tools).toContainText('Cannot be used')
  await tools.getByRole('button', { name: 'Open paint_postcard' }).click()
  const form = page.getByRole('form', { name: 'Try atelier_nord_postcard_painter__paint_postcard' })
  await form.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(form.getByText('A value is needed.')).toBeVisible()
  await expect(form.getByRole('textbox', { name: /^prompt/ })).toBeFocused()
  await form.getByRole('textbox', { name: /^prompt/ }).fill('a wet quay at dusk')
  await form.getByRole('combobox', { name: /^style/ }).click()
  await page.getByRole('option', { name: 'linocut' }).click()
  await form.getByRole('textbox', { name: /^seed/ }).fill('7')
  await form.getByRole('button', { name: 'Try', exact: true }).click()
  const result = page.getByRole('group', { name: 'Result of atelier_nord_postcard_painter__paint_postcard' })
  await expect(result).toContainText('Done')
  await expect(result).toContainText('"linocut", seed 7')
  await expect(
    result.getByRole('img', { name: 'Picture from atelier_nord_postcard_painter__paint_postcard' }),
  ).toBeVisible()
  await result.getByRole('button', { name: 'As received' }).click()
  await expect(result).toContainText('"type": "text"')
  const saved = path.join(dataDir, 'saved.json')
  await electron.evaluate(({ session }, to) => {
    session.defaultSession.once('will-download', (_event, item) => item.setSavePath(to))
  }, saved)
  await result.getByRole('button', { name: 'Save answer.json' }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page), colorScheme).toEqual([])
  }
  await expect.poll(() => readFile(saved, 'utf8').catch(() => '')).toContain('linocut')

  // Another screen and back: the values of the last time are still there.
  await app.goTo('Chat')
  await expect(page.getByRole('log', { name: 'Conversation' })).not.toContainText('seed 7')
  await app.goTo('Spaces')
  await expect(form.getByRole('textbox', { name: /^prompt/ })).toHaveValue('a wet quay at dusk')

  await page.getByRole('button', { name: `Install ${PAINTER}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByRole('button', { name: `Remove ${PAINTER}` })).toBeVisible()
  await expect(tools).toContainText('Installed')
  await tools.getByRole('button', { name: 'Open list_styles' }).click()
  const styles = page.getByRole('form', { name: 'Try atelier_nord_postcard_painter__list_styles' })
  await styles.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(page.getByRole('group', { name: 'Result of atelier_nord_postcard_painter__list_styles' })).toContainText(
    '8',
  )
  await page.getByRole('button', { name: 'Back to Spaces' }).click()
  await expect(app.spaceCard(PAINTER)).toBeVisible()
})

test('a try that takes too long is stopped', async ({ launchApp }) => {
  const space = await world.space('acme/slow', {
    tools: [
      {
        name: 'slow_wait',
        description: 'Waits',
        inputSchema: strings(),
        run: async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
          return text('never seen')
        },
      },
    ],
  })
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await app.spaceCard('acme/slow').getByRole('heading').getByRole('button').click()
  await page.getByRole('button', { name: 'Connect to see its tools' }).click()
  await page.getByRole('button', { name: 'Open wait' }).click()
  const form = page.getByRole('form', { name: 'Try acme_slow__wait' })
  await form.getByRole('button', { name: 'Try', exact: true }).click()
  await expect.poll(() => space.calls.length).toBe(1)
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('group', { name: 'Result of acme_slow__wait' })).toContainText('Stopped')
  await expect.poll(() => space.calls[0]?.cancelled).toBe(true)
})

test('without the network: the last catalogue with its day, the Space that was looked at, and by itself back', async ({
  launchApp,
}) => {
  await painter()
  world.hub.spaces.push({ id: 'acme/other', title: 'Other', tags: ['reachy-mini-tool'], stage: 'SLEEPING' })
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await app.spaceCard(PAINTER).getByRole('button', { name: 'Postcard Painter' }).click()
  await expect(page.getByRole('region', { name: 'README' })).toContainText('Describe a place')
  await page.getByRole('button', { name: 'Back to Spaces' }).click()

  world.hub.fault('offline')
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Trending' }).click()
  await expect(page.getByText('No network.')).toBeVisible()
  await expect(page.getByText('This is the catalogue of today')).toBeVisible()
  await expect(app.spaceCard('acme/other')).toContainText('Asleep, today')
  await expect(app.spaceCard('acme/other').getByRole('button', { name: 'Install acme/other' })).toBeDisabled()
  await app.spaceCard(PAINTER).getByRole('button', { name: 'Postcard Painter' }).click()
  await expect(page.getByRole('region', { name: 'README' })).toContainText('Describe a place')
  await expect(page.getByText('This is what was seen today')).toBeVisible()
  await page.getByRole('button', { name: 'Back to Spaces' }).click()

  world.hub.fault(null)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText('No network.')).toBeHidden()
  await expect(app.spaceCard('acme/other').getByRole('button', { name: 'Install acme/other' })).toBeEnabled()
})

test('too many requests: the last catalogue, the seconds left, and by itself back', async ({ launchApp }) => {
  await painter()
  const { page } = await launchApp({ env: world.env })
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await expect(app.spaceCard(PAINTER)).toBeVisible()
  world.hub.fault('rate-limited', { seconds: 3, times: 1 })
  await page.getByRole('searchbox', { name: 'Search Spaces' }).fill('postcard')
  await expect(page.getByText(/It is asked again in [1-4] s\./)).toBeVisible()
  await expect(app.spaceCard(PAINTER)).toBeVisible()
  const before = world.hub.requests.length
  await expect(page.getByText(/It is asked again in/)).toBeHidden({ timeout: 10_000 })
  await expect(app.spaceCard(PAINTER)).toBeVisible()
  expect(world.hub.requests.length).toBeGreaterThan(before)
})

test('a narrow window has the README and the tools as tabs, and nothing is wider than it', async ({ launchApp }) => {
  await painter()
  const { app: electron, page } = await launchApp({ env: world.env })
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600))
  const app = new CompanionPage(page)
  await app.goTo('Spaces')
  await app.spaceCard(PAINTER).getByRole('button', { name: 'Postcard Painter' }).click()
  await page.getByRole('tab', { name: 'README' }).click()
  await expect(page.getByRole('region', { name: 'README' })).toContainText('Describe a place')
  await page.getByRole('tab', { name: 'Tools' }).click()
  await expect(page.getByRole('button', { name: 'Connect to see its tools' })).toBeVisible()
  const wider = await page.locator('main').evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)
  expect(wider).toBe(0)
})
