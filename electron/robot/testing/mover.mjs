/** A program of its own that moves the robot on a serial port until it is killed: argument 1 is the port. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { createServer, createServerModuleRunner } from 'vite'

const root = path.resolve(import.meta.dirname, '../../..')
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
})
const load = (file) =>
  createServerModuleRunner(server.environments.ssr).import(pathToFileURL(path.join(root, file)).href)
const { createRobot } = await load('electron/robot/robot.ts')
const silent = () => undefined
const robot = createRobot({
  log: { debug: silent, info: silent, warn: silent, error: silent },
  movesDir: path.join(root, 'resources/moves'),
  wanted: `serial:${process.argv[2]}`,
  wakeAtStart: false,
})
await robot.start()
await robot.enable()
robot.sweepLook()
while (Math.abs(robot.state().bodyYaw) < 0.3) await new Promise((resolve) => setTimeout(resolve, 20))
process.stdout.write('moving\n')
