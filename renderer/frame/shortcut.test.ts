import { describe, expect, it } from 'vitest'

import { shortcutFor } from './shortcut.ts'

import type { PressedKey } from './shortcut.ts'

const NONE = { key: '', code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const press = (pressed: Partial<PressedKey>): PressedKey => ({ ...NONE, ...pressed })

describe('shortcutFor', () => {
  it.each([
    ['Ctrl .', press({ key: '.', ctrlKey: true }), { kind: 'emergency-stop' }],
    ['⌘ .', press({ key: '.', metaKey: true }), { kind: 'emergency-stop' }],
    [
      'Ctrl Shift . where the full stop needs Shift',
      press({ key: '.', ctrlKey: true, shiftKey: true }),
      { kind: 'emergency-stop' },
    ],
    ['Ctrl ,', press({ key: ',', ctrlKey: true }), { kind: 'go', screen: 'settings' }],
    ['Ctrl 1 on a French keyboard', press({ key: '&', code: 'Digit1', ctrlKey: true }), { kind: 'go', screen: 'chat' }],
    ['Ctrl 4', press({ key: '4', code: 'Digit4', ctrlKey: true }), { kind: 'go', screen: 'robot' }],
    ['Ctrl Shift A', press({ key: 'A', ctrlKey: true, shiftKey: true }), { kind: 'approval' }],
    ['F6', press({ key: 'F6' }), { kind: 'next-region', backwards: false }],
    ['Shift F6', press({ key: 'F6', shiftKey: true }), { kind: 'next-region', backwards: true }],
    ['Ctrl Z', press({ key: 'z', ctrlKey: true }), { kind: 'undo' }],
    ['a full stop alone', press({ key: '.' }), null],
    ['AltGr, which is Ctrl Alt', press({ key: '.', ctrlKey: true, altKey: true }), null],
    ['Ctrl Shift Z', press({ key: 'Z', ctrlKey: true, shiftKey: true }), null],
    ['a digit alone', press({ key: '1', code: 'Digit1' }), null],
  ])('%s', (_, pressed, expected) => {
    expect(shortcutFor(pressed, false)).toEqual(expected)
  })

  it('leaves undo to a text field, but not Emergency stop', () => {
    expect(shortcutFor(press({ key: 'z', ctrlKey: true }), true)).toBeNull()
    expect(shortcutFor(press({ key: '.', ctrlKey: true }), true)).toEqual({ kind: 'emergency-stop' })
  })
})
