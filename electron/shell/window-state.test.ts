import { describe, expect, it } from 'vitest'

import { FIRST_WINDOW_STATE, parseWindowState, placeWindow, rememberedLook } from './window-state.ts'

const screen = { x: 0, y: 0, width: 1920, height: 1080 }
const second = { x: 1920, y: 0, width: 1280, height: 1024 }

describe('placeWindow', () => {
  it.each([
    ['first start', {}, [screen], { width: 1280, height: 800 }],
    ['as it was', { x: 100, y: 50, width: 1000, height: 700 }, [screen], { x: 100, y: 50, width: 1000, height: 700 }],
    ['on the second screen', { x: 2000, y: 10 }, [screen, second], { x: 2000, y: 10, width: 1280, height: 800 }],
    ['second screen unplugged', { x: 2000, y: 10 }, [screen], { width: 1280, height: 800 }],
    ['title bar above the screen', { x: 100, y: -30 }, [screen], { width: 1280, height: 800 }],
    ['title bar below the screen', { x: 100, y: 1070 }, [screen], { width: 1280, height: 800 }],
    ['a corner left on the screen', { x: 1860, y: 10 }, [screen], { width: 1280, height: 800 }],
    ['larger than the screen', { width: 4000, height: 3000 }, [screen], { width: 1920, height: 1080 }],
    ['smaller than the interface needs', { width: 200, height: 200 }, [screen], { width: 900, height: 600 }],
    ['no screen known', {}, [], { width: 1280, height: 800 }],
  ])('%s', (_name, state, areas, expected) => {
    expect(placeWindow({ ...FIRST_WINDOW_STATE, ...state }, areas)).toEqual(expected)
  })
})

describe('parseWindowState', () => {
  it.each([
    '',
    '{',
    '{}',
    'null',
    '[]',
    '{"width":"1","height":2}',
    '{"width":1e99,"height":800,"maximized":false,"theme":"dark"}',
  ])('takes %j as none', (text) => {
    expect(parseWindowState(text)).toBeNull()
  })

  it('reads what was written', () => {
    const state = { x: -5, y: 3, width: 1000, height: 700, maximized: true, theme: 'dark' as const }
    expect(parseWindowState(JSON.stringify(state))).toEqual(state)
    const looked = { ...state, language: 'fr' as const, screen: 'spaces' as const }
    expect(parseWindowState(JSON.stringify(looked))).toEqual(looked)
  })

  it.each([{ language: 'tlh' }, { language: '"><script>' }, { screen: 'admin' }, { screen: 7 }])(
    'leaves out what it does not know of a look: %j',
    (part) => {
      const state = { width: 1000, height: 700, maximized: false, theme: 'light' as const }
      expect(parseWindowState(JSON.stringify({ ...state, ...part }))).toEqual(state)
    },
  )
})

it.each([
  [{}, null],
  [{ language: 'fr' as const }, null],
  [{ screen: 'robot' as const }, null],
  [
    { language: 'fr' as const, screen: 'robot' as const },
    { theme: 'system', language: 'fr', screen: 'robot' },
  ],
])('the look remembered in %j is %j', (part, expected) => {
  expect(rememberedLook({ ...FIRST_WINDOW_STATE, ...part })).toEqual(expected)
})
