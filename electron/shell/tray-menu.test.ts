import { describe, expect, it } from 'vitest'

import { desktop } from '../strings/desktop.ts'

import { trayTemplate } from './tray-menu.ts'

function menuOf(language: keyof typeof desktop, visible: boolean) {
  const done: string[] = []
  const items = trayTemplate(
    desktop[language],
    {
      emergencyStop: () => done.push('stop'),
      toggleWindow: () => done.push('window'),
      quit: () => done.push('quit'),
    },
    { visible },
  )
  return { items, done }
}

describe('the menu of the icon', () => {
  it.each([
    ['en', true, ['Emergency stop', 'Hide window', 'Quit']],
    ['en', false, ['Emergency stop', 'Show window', 'Quit']],
    ['fr', false, ['Arrêt d’urgence', 'Afficher la fenêtre', 'Quitter']],
    ['zh-CN', true, ['紧急停止', '隐藏窗口', '退出']],
  ] as const)('in %s, window on screen: %s', (language, visible, labels) => {
    const { items } = menuOf(language, visible)
    expect(items.flatMap(({ label }) => label ?? [])).toEqual(labels)
  })

  it('has the stop first, and does what it says', () => {
    const { items, done } = menuOf('en', true)
    // The arguments (item, window, event) are not used by our items.
    for (const { click } of items) (click as (() => void) | undefined)?.()
    expect(done).toEqual(['stop', 'window', 'quit'])
  })
})
