import { expect, test } from './app.ts'
import { startHub } from './servers/hub.ts'
import { startSpace } from './servers/space.ts'
import { strings } from './world.ts'

const SPACES = 30
const TOOLS = 7

/** A manifest as other programs write it: 30 Spaces with 7 tools each, all of them at one address that counts. */
function manifestOf(origin: string): string {
  const spaces = Array.from({ length: SPACES }, (_, space) => {
    const alias = `maker_space_${String(space).padStart(2, '0')}`
    return {
      slug: `maker/space-${String(space).padStart(2, '0')}`,
      alias,
      mcp_url: `${origin}/gradio_api/mcp/`,
      private: false,
      tools: Array.from({ length: TOOLS }, (_, tool) => ({
        local_name: `${alias}__tool_${tool}`,
        client_tool_name: `${alias}__tool_${tool}`,
        remote_name: `tool_${tool}`,
        description: `Does thing ${tool} of Space ${space}, which takes a sentence to say. `.repeat(3),
        parameters_schema: strings('query', 'language'),
      })),
    }
  })
  return JSON.stringify({ version: 2, spaces })
}

test('210 installed tools on 30 Spaces: a start asks nobody, and all of them can be reached', async ({ launchApp }) => {
  test.setTimeout(90_000)
  const hub = await startHub({ spaces: [] })
  const space = await startSpace({ id: 'maker/space-00' })
  const ids = Array.from({ length: SPACES }, (_, n) => `maker_space_${String(n).padStart(2, '0')}__tool_0`)
  const { page } = await launchApp({
    env: { HF_ENDPOINT: hub.url },
    files: {
      'installed_tool_spaces.json': manifestOf(space.url),
      'profiles/default/tools.txt': `${ids.join('\n')}\n`,
      'profiles/default/instructions.txt': 'Be brief.\n',
    },
  })
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeEditable()
  // Whatever a start does behind the first frame.
  await page.waitForTimeout(3_000)
  expect(hub.requests).toHaveLength(0)
  expect(space.requests).toHaveLength(0)

  await page.evaluate(() => {
    const scope = globalThis as unknown as { longest: number }
    scope.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) scope.longest = Math.max(scope.longest, duration)
    }).observe({ type: 'longtask' })
  })
  await page.getByRole('link', { name: 'Profiles' }).click()
  await expect(page.getByRole('switch', { name: 'maker_space_29__tool_6' })).toBeAttached()
  await page.getByRole('link', { name: 'Spaces' }).click()
  await page.getByRole('tab', { name: /Installed/ }).click()
  const last = page.getByRole('button', { name: 'Remove maker/space-29' })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeVisible()
  const longest = (): Promise<number> =>
    page.evaluate(() => {
      const scope = globalThis as unknown as { longest: number }
      const found = scope.longest
      scope.longest = 0
      return Math.round(found)
    })
  const opening = await longest()
  await page.mouse.move(500, 400)
  for (let turn = 0; turn < 40; turn += 1) {
    await page.mouse.wheel(0, turn < 20 ? -600 : 600)
    await page.waitForTimeout(30)
  }
  // For information: a test that fails for being slow fails on a busy machine.
  const description = `opening the screens ${opening}, scrolling ${await longest()}`
  test.info().annotations.push({ type: 'longest task, ms', description })
  expect(space.requests).toHaveLength(0)
  await space.close()
  await hub.close()
})
