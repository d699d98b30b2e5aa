import AxeBuilder from '@axe-core/playwright'

import { expect, test } from './app.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, PROMPT, shipped } from './profile-files.ts'

import type { Locator, Page } from '@playwright/test'

async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).disableRules([...without])
  const { violations: found } = await axe.analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}

const FILES = profiles({
  broken: { 'instructions.txt': Buffer.from('You are kind.\nA caf\xe9.\n', 'latin1'), 'tools.txt': 'dance\n' },
  mine: {
    'instructions.txt': '[house_rules]\n\nYou are brief.\n',
    'tools.txt': '# mine\ndance\nplay_emotoin\ndance\nmove_head # soft\n',
  },
  museum_guide_for_impatient_visitors_of_the_northern_wing: { ...PROMPT, 'tools.txt': 'dance\n' },
})

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on Profiles in any state, ${theme}`, async ({ launchApp }) => {
    test.slow()
    const { page } = await launchApp({ files: FILES })
    const screen = new ProfilesPage(page)
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await screen.goTo()
    await screen.open('mine')
    await expect(page.getByText(/play_emotion/).first()).toBeVisible()
    expect(await violations(page), 'problems').toEqual([])
    await screen.tool('sweep_look').click()
    expect(await violations(page), 'unsaved').toEqual([])

    await screen.row('broken').click()
    await expect(page.getByText('profile/not-utf8').first()).toBeVisible()
    expect(await violations(page), 'broken').toEqual([])

    await screen.open('museum_guide_for_impatient_visitors_of_the_northern_wing')
    await page.getByRole('button', { name: 'What the model reads' }).click()
    expect(await violations(page), 'what the model reads').toEqual([])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await expect(page.getByRole('menu')).toBeVisible()
    // An open menu lies over the page, in none of its regions.
    expect(await violations(page, ['region']), 'menu').toEqual([])
    await page.getByRole('menuitem', { name: 'Model and permissions' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'model and permissions').toEqual([])
    await page.keyboard.press('Escape')
    await screen.choose('Export…')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'export').toEqual([])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'New profile' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'new profile').toEqual([])
  })
}

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, goal: Locator, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 150; i += 1) {
    if (await goal.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`no way by ${key} to ${String(goal)}`)
}

test('a profile is made, edited, ordered, saved and used with the keyboard alone', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp()
  const { page } = app
  const screen = new ProfilesPage(page)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.keyboard.press('Control+3')
  await expect(screen.list).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: 'New profile' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New profile' })
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type('by_hand')
  await tabTo(page, dialog.getByRole('combobox', { name: 'Copy from' }))
  await page.keyboard.press('Enter')
  await page.keyboard.type('canary_web_search')
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Create' }))
  await page.keyboard.press('Enter')
  await expect(screen.view('by_hand')).toBeVisible()

  await tabTo(page, screen.tool('move_head'))
  await page.keyboard.press('Space')
  await expect(screen.tool('move_head')).not.toBeChecked()

  const text = screen.file('instructions.txt')
  await tabTo(page, text)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('By hand.')
  // Tab leaves the editor: nobody is caught in it.
  await page.keyboard.press('Tab')
  await expect(text).not.toBeFocused()
  await page.keyboard.press('Control+s')
  await screen.saved()
  expect(await fileOf(app, 'by_hand', 'tools.txt')).toBe(
    (await shipped('canary_web_search', 'tools.txt')).replace('move_head\n', ''),
  )
  expect(await fileOf(app, 'by_hand', 'instructions.txt')).toMatch(/By hand\.$/)

  const use = page.getByRole('button', { name: 'Use by_hand' })
  await tabTo(page, use, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(screen.row('by_hand')).toContainText(/in use/i)

  // The next problem, and its fix.
  await tabTo(page, screen.file('tools.txt'))
  await page.keyboard.press('Control+End')
  await page.keyboard.type('danec')
  await expect(page.getByText('1 problem').first()).toBeVisible()
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+Enter')
  await expect(screen.tool('dance')).toBeChecked()
  await expect(screen.file('tools.txt')).not.toContainText('danec')
})
