import { expect } from '@playwright/test'

import type { Locator, Page } from '@playwright/test'

export type FileLabel = 'tools.txt' | 'instructions.txt' | 'greeting.txt'

/** The Profiles screen, by roles and names (English interface). */
export class ProfilesPage {
  constructor(readonly page: Page) {}

  async goTo(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profiles' }).click()
    await expect(this.list.getByRole('listitem').first()).toBeVisible()
  }

  get list(): Locator {
    return this.page.getByRole('list', { name: 'Profiles', exact: true })
  }

  /** The row of a profile; what it says after the name (its state, its purpose) may change. */
  row(name: string): Locator {
    return this.list.getByRole('button', { name: new RegExp(`^${name}(?![\\w-])`) })
  }

  /** Shows a profile, and waits until its files are there. */
  async open(name: string): Promise<void> {
    await this.row(name).click()
    await expect(this.view(name)).toBeVisible()
  }

  view(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  tool(id: string): Locator {
    return this.page.getByRole('switch', { name: id, exact: true })
  }

  file(name: FileLabel): Locator {
    return this.page.getByRole('textbox', { name, exact: true })
  }

  get save(): Locator {
    return this.page.getByRole('button', { name: /^Save/ })
  }

  async saveAll(): Promise<void> {
    await this.save.click()
    await this.saved()
  }

  /** Waits until it is said that all is saved: while it is under way the button cannot be pressed either. */
  async saved(): Promise<void> {
    await expect(this.page.getByRole('status').filter({ hasText: /^Saved\.$/ })).toBeAttached()
    await expect(this.save).toBeDisabled()
  }

  /** Types at the end of a file, key by key, as the editor gets it from a person. */
  async typeAtEnd(file: FileLabel, text: string): Promise<void> {
    await this.file(file).click()
    await this.page.keyboard.press('Control+End')
    await this.page.keyboard.type(text)
  }

  /** An entry of the menu of the profile on screen. */
  async choose(entry: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'More', exact: true }).first().click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  /** An entry of the menu of the list: imports, the robot app's folder, hidden ones. */
  async chooseForAll(entry: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'Import and folders' }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  /** Takes back what a toast tells of. */
  async undoToast(text: string | RegExp): Promise<void> {
    await this.page.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click()
  }

  /** A new profile by the dialog; `from` is the one that is copied. */
  async create(name: string, from?: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New profile' }).click()
    const dialog = this.page.getByRole('dialog', { name: 'New profile' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    if (from !== undefined) await this.pick(dialog.getByRole('combobox', { name: 'Copy from' }), from)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog).toBeHidden()
    await expect(this.view(name)).toBeVisible()
  }

  /** Chooses in a combobox of the kit. */
  async pick(box: Locator, option: string): Promise<void> {
    await box.click()
    await this.page.getByRole('option', { name: new RegExp(`^${option}(?![\\w-])`) }).click()
  }
}
