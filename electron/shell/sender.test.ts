import { expect, it } from 'vitest'

import { isTrusted } from './sender.ts'

const mainFrame = { url: 'app://companion/index.html' }
const webContents = { mainFrame }
const open = { webContents, isDestroyed: () => false }

it.each([
  ['our page', { sender: webContents, senderFrame: mainFrame }, open, true],
  ['another window', { sender: {}, senderFrame: mainFrame }, open, false],
  ['a frame inside our page', { sender: webContents, senderFrame: { url: 'app://companion/index.html' } }, open, false],
  ['a frame that is gone', { sender: webContents, senderFrame: null }, open, false],
  [
    'a window that is closed',
    { sender: webContents, senderFrame: mainFrame },
    { webContents, isDestroyed: () => true },
    false,
  ],
])('%s', (_name, asker, window, expected) => {
  expect(isTrusted(asker, window)).toBe(expected)
})

it('our window on a page of somebody else', () => {
  const frame = { url: 'https://example.com/' }
  const contents = { mainFrame: frame }
  expect(isTrusted({ sender: contents, senderFrame: frame }, { webContents: contents, isDestroyed: () => false })).toBe(
    false,
  )
})
