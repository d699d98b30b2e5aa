import type { Locator, Page } from '@playwright/test'

export type ScreenName = 'Chat' | 'Spaces' | 'Profiles' | 'Robot' | 'Settings'

/** What is always there: rail, robot panel, Emergency stop (English interface). */
export interface Frame {
  readonly rail: Locator
  readonly emergencyStop: Locator
  readonly connection: Locator
  readonly robot: Locator
  /** Goes to a screen by its link in the rail. */
  open(screen: ScreenName): Promise<void>
}

export function frameOf(page: Page): Frame {
  const rail = page.getByRole('navigation', { name: 'Main' })
  return {
    rail,
    emergencyStop: page.getByRole('button', { name: 'Emergency stop' }),
    connection: page.getByRole('status', { name: 'Robot connection' }),
    robot: page.getByRole('img', { name: 'Robot', exact: true }),
    async open(screen) {
      await rail.getByRole('link', { name: screen }).click()
    },
  }
}
