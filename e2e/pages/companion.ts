import { expect } from '@playwright/test'

import type { Locator, Page } from '@playwright/test'

export type ScreenName = 'Chat' | 'Spaces' | 'Profiles' | 'Robot' | 'Settings'

/** The window as a person finds their way through it: by roles and names, never by markup. */
export class CompanionPage {
  constructor(readonly page: Page) {}

  async goTo(screen: ScreenName): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()
    await expect(this.page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  }

  // Spaces
  spaceCard(slug: string): Locator {
    return this.page.getByRole('list', { name: 'Spaces' }).getByRole('article', { name: slug, exact: true })
  }

  async addByName(text: string): Promise<Locator> {
    await this.page.getByRole('textbox', { name: 'Space name or link' }).fill(text)
    await this.page.getByRole('button', { name: 'Add Space' }).click()
    return this.page.getByRole('dialog')
  }

  /** Adds a Space by its name and takes all its tools into the active profile. */
  async install(slug: string): Promise<void> {
    const dialog = await this.addByName(slug)
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(dialog).toBeHidden()
  }

  // Chat
  get log(): Locator {
    return this.page.getByRole('log', { name: 'Conversation' })
  }

  call(id: string): Locator {
    return this.log.getByRole('group', { name: `Tool call ${id}`, exact: true })
  }

  /** Sends a message and waits until its answer has begun. */
  async say(text: string): Promise<void> {
    const messages = this.log.getByRole('article')
    const before = await messages.count()
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text)
    await this.page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => messages.count(), { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 2)
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Send' })).toBeVisible({ timeout: 30_000 })
  }

  // Robot
  get robot(): Locator {
    return this.page.getByRole('img', { name: 'Robot', exact: true })
  }
}
