import { expect } from '@playwright/test'

import { CompanionPage } from './companion.ts'

import type { Locator, Page } from '@playwright/test'

/** The Robot screen, body tab. */
export class RobotPage {
  readonly motors: Locator
  readonly torque: Locator
  readonly address: Locator

  constructor(readonly page: Page) {
    this.motors = page.getByRole('table', { name: 'Motors' })
    this.torque = page.getByRole('switch', { name: 'Torque' })
    this.address = page.getByRole('textbox', { name: 'Serial port or address' })
  }

  async goTo(): Promise<void> {
    await new CompanionPage(this.page).goTo('Robot')
  }

  /** A robot of the list, by any of its words. */
  row(text: string): Locator {
    return this.page.getByRole('list', { name: 'Robots' }).getByRole('listitem').filter({ hasText: text })
  }

  motor(name: string): Locator {
    return this.motors.getByRole('row').filter({ hasText: name })
  }

  slider(name: string): Locator {
    return this.page.getByRole('slider', { name, exact: true })
  }

  /**
   * Wakes it up, once more when the wire was lost meanwhile: the simulated robot lives in the process of the test, which a
   * busy computer may keep from answering for a second.
   */
  async wake(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Wake up' })
    await expect(async () => {
      if (await button.isEnabled()) await button.click({ timeout: 1_000 })
      await expect(this.page.getByText('Awake', { exact: true })).toBeVisible({ timeout: 9_000 })
    }).toPass({ timeout: 45_000 })
  }

  async add(text: string): Promise<void> {
    await this.address.fill(text)
    await this.address.press('Enter')
  }

  /** What a screen reader says of the picture of the robot. */
  async described(): Promise<string> {
    return this.page.getByRole('img', { name: 'Robot', exact: true }).evaluate((element) => {
      const ids = element.getAttribute('aria-describedby') ?? ''
      const text = ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '')
      return element.getAttribute('aria-description') ?? text.join(' ')
    })
  }
}
