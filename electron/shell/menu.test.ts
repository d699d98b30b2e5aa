import { describe, expect, it } from 'vitest'

import { desktop } from '../strings/desktop.ts'

import { menuProfiles, menuTemplate } from './menu.ts'

import type { MenuItemConstructorOptions } from 'electron'

const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])

const PROFILES = [
  { name: 'default', label: 'default', active: false },
  { name: 'tea', label: 'Tea & cake (tea)', active: true },
]

function itemsFor(platform: NodeJS.Platform, developer = false, language: keyof typeof desktop = 'en') {
  const done: string[] = []
  const actions = {
    navigate: (screen: string) => done.push(screen),
    emergencyStop: () => done.push('stop'),
    useProfile: (name: string) => done.push(name),
  }
  return {
    done,
    items: flat(menuTemplate(desktop[language].menu, actions, { platform, developer, profiles: PROFILES })),
  }
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

it('uses a profile, and marks the one in use', () => {
  const { done, items } = itemsFor('linux')
  const profiles = items.filter((item) => item.type === 'radio')
  expect(profiles.map(({ label, checked }) => [label, checked])).toEqual([
    ['default', false],
    ['Tea && cake (tea)', true],
  ])
  choose(profiles[0])
  expect(done).toEqual(['default'])
})

it('leaves out hidden profiles and those behind another one, never the one in use', () => {
  const summary = { source: 'user', edited: false, hidden: false, path: '', format: 'txt' } as const
  const profiles = [
    { ...summary, name: 'a' },
    { ...summary, name: 'b', hidden: true, title: 'B' },
    { ...summary, name: 'c', hidden: true, title: 'See' },
    { ...summary, name: 'a', problem: { code: 'profile/exists' as const } },
  ]
  expect(menuProfiles({ version: 1, active: 'c', activeFrom: 'app', profiles })).toEqual([
    { name: 'a', label: 'a', active: false },
    { name: 'c', label: 'See (c)', active: true },
  ])
})
