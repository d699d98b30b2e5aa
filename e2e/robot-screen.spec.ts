import { mkdtemp, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import AxeBuilder from '@axe-core/playwright'

import { openPtyRobot } from '../electron/robot/testing/pty-robot.ts'

import { expect, test } from './app.ts'
import { CompanionPage } from './pages/companion.ts'
import { RobotPage } from './pages/robot.ts'
import { startDaemon } from './servers/daemon.ts'

import type { PtyRobot } from '../electron/robot/testing/pty-robot.ts'

test.skip(process.platform === 'win32', 'a pseudo-terminal stands for the serial port')

/** A cable: one name for the port, whatever terminal is behind it at the moment. */
class Cable {
  readonly #dir: string
  #robot: PtyRobot | null = null

  private constructor(dir: string) {
    this.#dir = dir
  }

  static async plugged(): Promise<Cable> {
    const cable = new Cable(await mkdtemp(path.join(os.tmpdir(), 'companion-cable-')))
    await cable.plug()
    return cable
  }

  get port(): string {
    return path.join(this.#dir, 'port')
  }

  get robot(): PtyRobot {
    if (this.#robot === null) throw new Error('unplugged')
    return this.#robot
  }

  async plug(): Promise<void> {
    this.#robot = openPtyRobot()
    await symlink(this.#robot.path, this.port)
  }

  async unplug(): Promise<void> {
    await rm(this.port)
    this.#robot?.close()
    this.#robot = null
  }

  async dispose(): Promise<void> {
    this.#robot?.close()
    await rm(this.#dir, { recursive: true, force: true })
  }
}

let cable: Cable
test.beforeEach(async () => {
  cable = await Cable.plugged()
})
test.afterEach(async () => {
  await cable.dispose()
})

test('a robot on a port is connected, moved by hand, unplugged and plugged in again', async ({ launchApp }) => {
  test.slow()
  const { page } = await launchApp({ args: ['--robot', `serial:${cable.port}`] })
  const screen = new RobotPage(page)
  await screen.goTo()
  const row = screen.row(cable.port)
  await expect(row).toContainText('Connected')
  await expect(screen.motors.getByRole('row')).toHaveCount(10)
  await expect(page.getByText('9 of 9 answer')).toBeVisible()

  // It sleeps, and nothing moves before somebody asks.
  await expect(screen.torque).not.toBeChecked()
  await expect(screen.slider('Yaw')).toBeDisabled()
  await expect(page.getByText('Switch torque on to move it from here.')).toBeVisible()
  await screen.wake()
  await expect(screen.torque).toBeChecked()
  await expect(screen.motor('right_antenna')).toContainText('Holding')

  await screen.slider('Yaw').fill('20')
  await screen.slider('Right').fill('-30')
  await expect(page.getByText('You are moving it')).toBeVisible()
  await expect.poll(() => screen.described()).toMatch(/head yaw 20.*right antenna -?−?30/i)
  await expect(screen.motor('right_antenna')).toContainText('−30')
  await screen.slider('Yaw').focus()
  await page.keyboard.press('PageUp')
  await expect(screen.slider('Yaw')).toHaveValue('30')
  await page.keyboard.press('ArrowLeft')
  await expect(screen.slider('Yaw')).toHaveValue('29')
  await page.getByRole('button', { name: 'Look ahead' }).click()
  await expect.poll(() => screen.described()).toMatch(/head yaw 0/i)

  // Lean too far to every side at once: it goes as far as it can, and says so.
  await screen.slider('Pitch').fill('40')
  await screen.slider('Roll').fill('40')
  await screen.slider('Forward').fill('40')
  await expect(page.getByText(/^It does not reach that far: .*Forward/)).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Look ahead' }).click()

  await cable.unplug()
  await expect(row).toContainText('Lost, being looked for')
  await expect(page.getByText('The robot is no longer connected.').first()).toBeVisible()
  await expect(screen.motors).toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Robot connection' })).not.toContainText('50 Hz')

  await cable.plug()
  await expect(row).toContainText('Connected', { timeout: 15_000 })
  // What came back holds nothing and moves nothing by itself.
  await expect(screen.torque).not.toBeChecked()
})

test('each fault has its own words, and what helps', async ({ launchApp }) => {
  test.slow()
  const { page } = await launchApp({ args: ['--robot', `serial:${cable.port}`] })
  const screen = new RobotPage(page)
  await screen.goTo()
  const row = screen.row(cable.port)
  await expect(row).toContainText('Connected')

  // One motor is cut off from the chain.
  cable.robot.setFaults({ missing: [15] })
  await expect(row).toContainText('Missing', { timeout: 20_000 })
  await expect(page.getByText('Some motors do not answer: stewart_5').first()).toBeVisible()
  cable.robot.setFaults({ missing: [] })
  await expect(row).toContainText('Connected', { timeout: 20_000 })

  cable.robot.setFaults({ power: false })
  await expect(row).toContainText('Motors have no power', { timeout: 20_000 })
  await expect(page.getByText('Switch its power supply on.').first()).toBeVisible()
  cable.robot.setFaults({ power: true })
  await expect(row).toContainText('Connected', { timeout: 20_000 })

  // A motor that is blocked switches itself off, and is restarted from here.
  cable.robot.setFaults({ blocked: [13] })
  await page.getByRole('button', { name: 'Wake up' }).click()
  const restart = page.getByRole('button', { name: 'Restart stewart_3' })
  await expect(restart).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('stewart_3 in the head switched itself off (overload).')).toBeVisible()
  await expect(screen.motor('stewart_3')).toContainText('Switched off')
  cable.robot.setFaults({ blocked: [] })
  await restart.click()
  await expect(restart).toBeHidden({ timeout: 15_000 })
})

test('a robot is added by its port, then by the address of its daemon; none is left, the simulator helps', async ({
  launchApp,
}) => {
  test.slow()
  const daemon = await startDaemon()
  try {
    const { page } = await launchApp()
    const screen = new RobotPage(page)
    await screen.goTo()
    await expect(screen.row('Speaks the same bytes')).toContainText('Connected')
    await screen.add('')
    await expect(page.getByText('Type a port or an address first.')).toBeVisible()
    await screen.add('not a port at all !')
    await expect(screen.address).toHaveAttribute('aria-invalid', 'true')
    await expect(screen.address).toHaveValue('not a port at all !')

    await screen.add(cable.port)
    await expect(screen.row(cable.port)).toContainText('Connected', { timeout: 15_000 })
    await expect(screen.address).toHaveValue('')
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([])

    await screen.add(daemon.url)
    const held = screen.row(new URL(daemon.url).host)
    await expect(held).toContainText('Connected', { timeout: 15_000 })
    await screen.wake()
    await screen.slider('Yaw').fill('15')
    await expect.poll(() => screen.described(), { timeout: 15_000 }).toMatch(/head yaw 15/i)

    await held.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('heading', { name: 'No robot connected' })).toBeVisible({ timeout: 15_000 })
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([])
    await page.getByRole('button', { name: 'Use the simulator' }).first().click()
    await expect(screen.row('Speaks the same bytes')).toContainText('Connected')

    await screen
      .row(cable.port)
      .getByRole('button', { name: /^Forget/ })
      .click()
    await expect(screen.row(cable.port)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(screen.row(cable.port)).toHaveCount(1)

    // The panel's own menu does the same from every screen.
    const chip = page.getByRole('status', { name: 'Robot connection' })
    await new CompanionPage(page).goTo('Chat')
    await chip.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Connect Reachy Mini' }).filter({ hasText: cable.port }).click()
    await expect(chip).toContainText('50 Hz')
    await expect(chip).toContainText('Reachy Mini')
    await chip.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await expect(chip).toContainText('No robot', { timeout: 15_000 })
    await expect(page.getByText('Nothing is connected')).toBeVisible()
    await page.getByRole('button', { name: 'Use the simulator' }).click()
    await expect(chip).toContainText('Simulator')
  } finally {
    await daemon.close()
  }
})

test('torque off asks while the head is up; the report can be copied', async ({ launchApp }) => {
  const { page } = await launchApp()
  const screen = new RobotPage(page)
  await screen.goTo()
  await expect(page.getByText('Awake', { exact: true })).toBeVisible({ timeout: 20_000 })
  await screen.torque.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Switch the motors off?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(screen.torque).toBeChecked()
  await screen.torque.press('Space')
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(screen.torque).not.toBeChecked()

  await page.getByRole('button', { name: 'Diagnostics' }).click()
  const report = page.getByRole('dialog', { name: 'Diagnostics' }).getByRole('region', { name: 'Report' })
  await expect(report).toContainText('stewart_6')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+.')
  await expect(page.getByText('Emergency stop is in force. Enable the motors first.')).toBeVisible()
  await expect(screen.torque).toBeDisabled()
  await new CompanionPage(page).goTo('Robot')
  await page.getByRole('button', { name: 'Enable motors' }).last().click()
  await expect(screen.torque).toBeChecked()
})
