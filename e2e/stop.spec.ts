import { openPtyRobot } from '../electron/robot/testing/pty-robot.ts'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { CompanionPage } from './pages/companion.ts'
import { RobotPage } from './pages/robot.ts'

import type { PtyRobot } from '../electron/robot/testing/pty-robot.ts'
import type { RunningApp } from './app.ts'

test.skip(process.platform === 'win32', 'a pseudo-terminal stands for the serial port')

let robot: PtyRobot
test.beforeEach(() => {
  robot = openPtyRobot()
})
test.afterEach(() => {
  robot.close()
})

/** Torque enable of an XL330 or XC330 (ROBOTIS e-manual, control table). */
const TORQUE_ENABLE = 64

/** IDs of motors that hold, by their own registers. */
const holding = (): number[] =>
  [10, 11, 12, 13, 14, 15, 16, 17, 18].filter((id) => {
    const value = robot.robot.motor(id)?.read(TORQUE_ENABLE, 1)
    return typeof value === 'object' && value[0] === 1
  })

async function awake(running: RunningApp): Promise<RobotPage> {
  const screen = new RobotPage(running.page)
  await screen.goTo()
  await expect(screen.row(robot.path)).toContainText('Connected')
  await screen.wake()
  return screen
}

async function dancing({ page }: RunningApp): Promise<void> {
  await page.evaluate(async () => {
    const { companion } = window as unknown as {
      companion: { request(route: string, payload: object): Promise<{ ok: boolean }> }
    }
    await companion.request('robot.play', { move: 'groovy_sway_and_roll' })
  })
  await expect(page.getByText(/^Dancing/)).toBeVisible({ timeout: 10_000 })
  expect(holding()).toHaveLength(9)
}

const enable = async ({ page }: RunningApp): Promise<void> => {
  await page.getByRole('button', { name: 'Enable motors' }).first().click()
  await expect.poll(() => holding().length).toBe(9)
}

test('Emergency stop ends a dance from the shortcut, the menu and the command line, and stays', async ({
  launchApp,
}) => {
  test.slow()
  const running = await launchApp({ args: ['--robot', `serial:${robot.path}`] })
  const { app, page, dataDir } = running
  await awake(running)

  await dancing(running)
  await page.keyboard.press('Control+.')
  await expect.poll(holding).toEqual([])
  await expect(page.getByText('Stopped. Motors are off.').first()).toBeVisible()
  // Asking for a motion does not end it.
  await new CompanionPage(page).goTo('Chat')
  await new CompanionPage(page).say('look left')
  await new CompanionPage(page).settled()
  expect(holding()).toEqual([])

  await enable(running)
  await dancing(running)
  await app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('emergency-stop')?.click()
  })
  await expect.poll(holding).toEqual([])

  await enable(running)
  await dancing(running)
  const command = commandOn(dataDir)
  expect(await command.json('robot', 'stop')).toMatchObject({ status: 0, answer: { ok: true } })
  expect(holding()).toEqual([])
  // Once more changes nothing and is confirmed as well.
  expect(await command.json('robot', 'stop')).toMatchObject({ status: 0 })
  await expect(page.getByText('Stopped. Motors are off.').first()).toBeVisible()
})

test('a page that hangs does not keep the robot from being stopped', async ({ launchApp }) => {
  test.slow()
  const running = await launchApp({ args: ['--robot', `serial:${robot.path}`] })
  await awake(running)
  await dancing(running)
  await running.page.evaluate(() => {
    setTimeout(() => {
      for (;;);
    }, 0)
  })
  const began = Date.now()
  expect(await commandOn(running.dataDir).json('robot', 'stop')).toMatchObject({ status: 0, answer: { ok: true } })
  expect(holding()).toEqual([])
  // The start of the command is most of it.
  expect(Date.now() - began).toBeLessThan(5_000)
  await running.kill()
})

test('a port that is stuck is said not to have confirmed, and nothing moves on', async ({ launchApp }) => {
  test.slow()
  const running = await launchApp({ args: ['--robot', `serial:${robot.path}`] })
  const screen = await awake(running)
  await dancing(running)
  robot.setFaults({ stuck: true })
  const { status, answer } = await commandOn(running.dataDir).json('robot', 'stop')
  expect([status, answer]).toMatchObject([1, { ok: false, error: { code: 'robot/disconnected' } }])
  await running.page.keyboard.press('Control+.')
  await expect(running.page.getByText(/Switch (the|its) power supply off/).first()).toBeVisible({ timeout: 15_000 })
  robot.setFaults({ stuck: false })
  await expect.poll(holding, { timeout: 15_000 }).toEqual([])
  await expect(screen.row(robot.path)).toContainText('Connected', { timeout: 15_000 })
  await expect(running.page.getByRole('button', { name: 'Enable motors' }).first()).toBeVisible()
  expect(holding()).toEqual([])
})
