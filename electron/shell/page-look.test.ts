import { expect, it } from 'vitest'

import { withLook } from './page-look.ts'

const page = '<!doctype html>\n<html lang="en">\n<head></head></html>'

it.each([
  [null, '<html lang="en">'],
  [{ theme: 'system', language: 'fr', screen: 'chat' }, '<html lang="fr" data-screen="chat">'],
  [
    { theme: 'dark', language: 'zh-CN', screen: 'spaces' },
    '<html lang="zh-CN" data-theme="dark" data-screen="spaces">',
  ],
] as const)('%j makes the page begin with %s', (look, expected) => {
  expect(withLook(page, look)).toBe(page.replace('<html lang="en">', expected))
})
