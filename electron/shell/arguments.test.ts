import { expect, it } from 'vitest'

import { desktopArguments } from './arguments.ts'

it.each([
  [['electron', '.'], {}],
  [['app', '--data-dir', '/d', '--robot', 'serial:/dev/x'], { dataDir: '/d', robot: 'serial:/dev/x' }],
  [['app', '--data-dir=/d a', '--no-sandbox'], { dataDir: '/d a' }],
  [['app', '--data-dir=/a=b'], { dataDir: '/a=b' }],
  [['app', '--data-dir'], {}],
  [['app', '--data-dir', '--robot', 'simulator'], { robot: 'simulator' }],
  [['app', '--data-directory=/d'], {}],
  [['app', '--', '--data-dir=/d', '--robot', 'simulator'], {}],
  [['app', '--robot=simulator', '--', 'reachy-mini-companion://space/o/n'], { robot: 'simulator' }],
  [['app', 'reachy-mini-companion://space/o/n" --data-dir=/d "'], {}],
])('%j gives %j', (argv, expected) => {
  expect(desktopArguments(argv)).toEqual(expected)
})
