import { describe, expect, it } from 'vitest'

import { desktop } from '../strings/desktop.ts'

import { menuTemplate } from './menu.ts'

import type { MenuItemConstructorOptions } from 'electron'

const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])

function itemsFor(platform: NodeJS.Platform, developer = false, language: keyof typeof desktop = 'en') {
  const done: string[] = []
  const actions = { navigate: (screen: string) => done.push(screen), emergencyStop: () => done.push('stop') }
  return { done, items: flat(menuTemplate(desktop[language].menu, actions, { platform, developer })) }
}

function choose(item: MenuItemConstructorOptions | undefined): void {
  // The arguments (item, window, event) are not used by our items.
  ;(item?.click as (() => void) | undefined)?.()
}

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (platform) => {
  it('stops with Ctrl+. and reaches every screen', () => {
    const { done, items } = itemsFor(platform)
    choose(items.find((item) => item.accelerator === 'CommandOrControl+.'))
    for (const key of ['1', '2', '3', '4', ','])
      choose(items.find((item) => item.accelerator === `CommandOrControl+${key}`))
    expect(done).toEqual(['stop', 'chat', 'spaces', 'profiles', 'robot', 'settings'])
  })

  it('can quit, edit and zoom', () => {
    const roles = itemsFor(platform).items.map((item) => item.role)
    expect(roles).toEqual(expect.arrayContaining(['quit', 'copy', 'paste', 'zoomIn', 'zoomOut', 'resetZoom']))
  })
})

it('uses no accelerator twice', () => {
  const keys = itemsFor('linux', true).items.flatMap((item) => (item.accelerator ? [item.accelerator] : []))
  expect(new Set(keys).size).toBe(keys.length)
})

it('shows developer tools only while developing', () => {
  expect(itemsFor('linux', true).items.map((item) => item.role)).toContain('toggleDevTools')
  expect(itemsFor('linux').items.map((item) => item.role)).not.toContain('toggleDevTools')
})

it('speaks the language', () => {
  expect(itemsFor('linux', false, 'fr').items.map((item) => item.label)).toContain('Arrêt d’urgence')
  expect(itemsFor('linux', false, 'zh-CN').items.map((item) => item.label)).toContain('紧急停止')
})
