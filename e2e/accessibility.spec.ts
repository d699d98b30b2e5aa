import AxeBuilder from '@axe-core/playwright'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { text } from './servers/space-tools.ts'
import { startWorld, strings } from './world.ts'

import type { ScreenName } from './pages/companion.ts'
import type { Page } from '@playwright/test'

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}

const SCREENS: readonly ScreenName[] = ['Chat', 'Spaces', 'Profiles', 'Robot', 'Settings']

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen, ${theme}`, async ({ launchApp }) => {
    test.slow()
    const world = await startWorld()
    try {
      await world.space('acme/tools', {
        tools: [{ name: 'tools_greet', description: 'Greets', inputSchema: strings('name'), run: () => text('hi') }],
      })
      const { page } = await launchApp({ env: world.env })
      const app = new CompanionPage(page)
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      for (const screen of SCREENS) {
        await app.goTo(screen)
        if (screen === 'Spaces') await expect(app.spaceCard('acme/tools')).toBeVisible()
        if (screen === 'Profiles') await expect(page.getByRole('textbox', { name: 'tools.txt' })).toBeVisible()
        expect(await violations(page), screen).toEqual([])
      }
      await app.goTo('Robot')
      await page
        .getByRole('tab', { name: 'Emotions' })
        .or(page.getByRole('radio', { name: 'Emotions' }))
        .click()
      await expect(page.getByRole('region', { name: 'Emotion preview' })).toBeVisible()
      expect(await violations(page), 'Emotions').toEqual([])

      await app.goTo('Spaces')
      const dialog = await app.addByName('acme/tools')
      await expect(dialog.getByRole('button', { name: 'Install', exact: true })).toBeVisible()
      expect(await violations(page), 'install dialog').toEqual([])
      await dialog.getByRole('button', { name: 'Install', exact: true }).click()
      await expect(dialog).toBeHidden()

      await app.goTo('Chat')
      await app.say('I am happy')
      await app.settled()
      expect(await violations(page), 'conversation').toEqual([])
    } finally {
      await world.close()
    }
  })
}
