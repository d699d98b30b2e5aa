import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'

const OFFLINE = { HF_ENDPOINT: 'http://127.0.0.1:9' }

async function described(app: CompanionPage): Promise<string> {
  return app.robot.evaluate((element) => {
    const ids = element.getAttribute('aria-describedby') ?? ''
    const text = ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '')
    return element.getAttribute('aria-description') ?? text.join(' ')
  })
}

test('the preview plays on screen before the robot does, then the robot follows', async ({ launchApp }) => {
  const { page } = await launchApp({ env: OFFLINE })
  const app = new CompanionPage(page)
  await app.goTo('Robot')
  await page
    .getByRole('tab', { name: 'Emotions' })
    .or(page.getByRole('radio', { name: 'Emotions' }))
    .click()
  const palette = page.getByRole('region', { name: 'Emotions' })
  await palette.getByRole('button', { name: /success1/ }).click()
  const preview = page.getByRole('region', { name: 'Emotion preview' })
  await expect(preview).toContainText('success1')
  const before = await described(app)
  await preview.getByRole('button', { name: 'Play on robot' }).click()
  await expect.poll(() => described(app), { timeout: 15_000 }).not.toBe(before)
})

test('Emergency stop switches the motors off and leaves them off until they are enabled', async ({ launchApp }) => {
  const { page } = await launchApp({ env: OFFLINE })
  const app = new CompanionPage(page)
  await expect(page.getByRole('status', { name: 'Robot connection' })).toContainText('Simulator')
  await page.keyboard.press('Control+.')
  await expect(page.getByText('Motors are off')).toBeVisible()
  await app.say('look left')
  await app.settled()
  await expect(app.call('move_head')).toContainText('Failed')
  await page.getByRole('button', { name: 'Enable motors' }).click()
  await app.say('look left')
  await app.settled()
  await expect(app.call('move_head').last()).toContainText('Done')
})
