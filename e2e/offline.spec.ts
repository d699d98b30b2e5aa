import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'

test('no network and an empty data directory: every screen says something sensible and the body moves', async ({
  launchApp,
}) => {
  const { page } = await launchApp({ env: { HF_ENDPOINT: 'http://127.0.0.1:9' } })
  const app = new CompanionPage(page)
  await expect(page.getByRole('heading', { name: 'What shall we try?' })).toBeVisible()
  await app.say('look left')
  await app.settled()
  await expect(app.call('move_head')).toContainText('Done')

  await app.goTo('Spaces')
  await expect(page.getByText('hub/offline').first()).toBeVisible()
  await expect(app.spaceCard('pollen-robotics/reachy-mini-time-tool')).toBeVisible()

  await app.goTo('Profiles')
  await expect(page.getByRole('switch', { name: 'play_emotion', exact: true })).toBeChecked()

  await app.goTo('Robot')
  await expect(page.getByRole('table', { name: 'Motors' }).getByRole('row')).toHaveCount(10)

  await app.goTo('Settings')
  await expect(page.getByRole('textbox', { name: 'Model address' })).toBeVisible()
})
