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
])('%j gives %j', (argv, expected) => {
  expect(desktopArguments(argv)).toEqual(expected)
})
