import { describe, expect, it } from 'vitest'

import {
  canRedo,
  canUndo,
  changedCount,
  changedFiles,
  decided,
  freshDraft,
  heldText,
  isDirty,
  isOn,
  movedIds,
  onRebased,
  savedText,
  shownText,
  shownTools,
  withTexts,
  withUndoing,
  withoutDone,
} from './drafts.ts'
import { redoing, undoing } from './edit-history.ts'

import type { ProfileDocument, ProfileTexts } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'

const TEXTS: ProfileTexts = {
  'tools.txt': 'dance\r\n',
  'instructions.txt': 'Be calm.',
  'voice.txt': null,
  'greeting.txt': null,
}
const read: ProfileDocument = {
  name: 'mine',
  source: 'user',
  edited: false,
  path: '/data/profiles/mine',
  format: 'txt',
  texts: TEXTS,
  inheritedToolsText: 'move_head\n',
  revision: 'r1',
  readOnlyFiles: [],
  broken: [],
  problems: [],
  details: {},
  otherFiles: [],
}
const clean: Draft = freshDraft(read)
const mark = (group: number, typed = false) => ({ group, at: group, typed })
const withTools = (draft: Draft, text: string, group = 2): Draft =>
  withTexts(draft, { ...draft.texts, 'tools.txt': text }, mark(group))
const typed: Draft = withTools(clean, 'dance\r\ncamera\r\n')

describe('isDirty', () => {
  it.each([
    ['as read', clean, false],
    ['typed', typed, true],
    ['instructions', { ...clean, texts: { ...TEXTS, 'instructions.txt': 'Be loud.' } }, true],
    ['a voice where there was none', { ...clean, texts: { ...TEXTS, 'voice.txt': 'Ryan\n' } }, true],
    ['typed and taken back', withTools(typed, 'dance\r\n', 4), false],
    ['a switch that is on its way', { ...clean, pending: new Map([['dance', false]]) }, true],
    ['line endings alone', withTools(clean, 'dance\n'), true],
    ['taken away outside', { ...clean, gone: true }, true],
  ])('%s: %s', (_, draft, dirty) => {
    expect(isDirty(draft)).toBe(dirty)
  })

  it('names the files, and counts lines of all of them', () => {
    const draft = { ...typed, texts: { ...typed.texts, 'greeting.txt': 'Hello.\nYou.\n' } }
    expect(changedFiles(draft)).toEqual(['tools.txt', 'greeting.txt'])
    expect(changedCount(draft)).toBe(3)
  })
})

describe('inherited list', () => {
  const inheriting = { ...read, texts: { ...TEXTS, 'tools.txt': null } }
  it('is shown and stays inherited until it differs', () => {
    const draft = freshDraft(inheriting)
    expect(shownTools(draft)).toBe('move_head\n')
    expect(savedText(draft, 'tools.txt')).toBe('move_head\n')
    expect(heldText('move_head\n', 'tools.txt', inheriting)).toBeNull()
    expect(heldText('move_head\ndance\n', 'tools.txt', inheriting)).toBe('move_head\ndance\n')
    expect(heldText('', 'tools.txt', inheriting)).toBe('')
  })
  it('does not swallow an own list that happens to be equal', () => {
    expect(heldText('move_head\n', 'tools.txt', read)).toBe('move_head\n')
  })
  it('is no matter of the other files: nothing typed into no file is no file', () => {
    expect(heldText('', 'greeting.txt', read)).toBeNull()
    expect(heldText('', 'instructions.txt', read)).toBe('')
  })
})

describe('undo', () => {
  it('goes back to the byte and forth again, over files', () => {
    const both = withTexts(typed, { ...typed.texts, 'greeting.txt': 'Hi.' }, mark(4))
    const steps = [clean.texts, typed.texts, both.texts]
    let draft = both
    for (const texts of [steps[1], steps[0]]) {
      const back = undoing(draft.history)
      expect(back).not.toBeNull()
      if (back) draft = withUndoing(draft, back)
      expect(draft.texts).toEqual(texts)
    }
    expect([canUndo(draft), canRedo(draft)]).toEqual([false, true])
    for (const texts of [steps[1], steps[2]]) {
      const forth = redoing(draft.history)
      if (forth) draft = withUndoing(draft, forth)
      expect(draft.texts).toEqual(texts)
    }
    expect([canUndo(draft), canRedo(draft)]).toEqual([true, false])
  })

  it('in one file leaves the others alone', () => {
    const both = withTexts(typed, { ...typed.texts, 'greeting.txt': 'Hi.' }, mark(4))
    const back = undoing(both.history, 'tools.txt')
    expect(back && withUndoing(both, back).texts).toEqual({ ...TEXTS, 'greeting.txt': 'Hi.' })
    expect(canUndo(clean, 'tools.txt')).toBe(false)
  })

  it('touches nothing where the text is another one than the step was made on', () => {
    const back = undoing(typed.history)
    const other = { ...typed, texts: { ...typed.texts, 'tools.txt': 'x' } }
    expect(back && withUndoing(other, back).texts['tools.txt']).toBe('x')
  })
})

describe('a change outside', () => {
  const document = { ...read, revision: 'r2', texts: { ...TEXTS, 'instructions.txt': 'Be quiet.' } }

  it('is put together with what is unsaved, and the base is what is on disk now', () => {
    const texts = { ...typed.texts, 'instructions.txt': 'Be quiet.' }
    const draft = onRebased(typed, { document, texts, merged: ['instructions.txt'], conflicts: [] }, mark(6))
    expect(draft.base).toEqual(document.texts)
    expect(draft.merged).toEqual(['instructions.txt'])
    expect(draft.conflict).toBeNull()
    expect(changedFiles(draft)).toEqual(['tools.txt'])
  })

  const loud = withTexts(clean, { ...TEXTS, 'instructions.txt': 'Be loud.' }, mark(2))
  const torn = onRebased(
    loud,
    { document, texts: loud.texts, merged: [], conflicts: ['instructions.txt'] },
    mark(6),
  )

  it('of the same line keeps the own text, and what it was made from', () => {
    expect(torn.texts['instructions.txt']).toBe('Be loud.')
    expect(torn.base['instructions.txt']).toBe('Be calm.')
    expect(torn.conflict?.files).toEqual(['instructions.txt'])
  })

  it.each([
    ['mine', 'Be loud.', 'Be quiet.'],
    ['theirs', 'Be quiet.', 'Be loud.'],
  ] as const)('%s: the other version is one step back', (take, chosen, other) => {
    const draft = decided(torn, 'instructions.txt', take, mark(8))
    expect(shownText(draft, 'instructions.txt')).toBe(chosen)
    expect(draft.conflict).toBeNull()
    expect(draft.base['instructions.txt']).toBe('Be quiet.')
    const back = undoing(draft.history)
    expect(back && shownText(withUndoing(draft, back), 'instructions.txt')).toBe(other)
  })
})

describe('switches', () => {
  it('shows what was pressed before the text has it', () => {
    const draft = { ...clean, ids: ['dance'], pending: new Map([['camera', true]]) }
    expect([isOn(draft, 'dance'), isOn(draft, 'camera'), isOn(draft, 'move_head')]).toEqual([true, true, false])
  })
  it('keeps a switch that was pressed again while the first press was worked on', () => {
    const pending = new Map([
      ['a', false],
      ['b', true],
    ])
    const done = new Map([
      ['a', true],
      ['b', true],
    ])
    expect([...withoutDone(pending, done)]).toEqual([['a', false]])
  })
  it.each([
    ['c', 'a', ['c', 'a', 'b']],
    ['a', null, ['b', 'c', 'a']],
    ['a', 'a', ['a', 'b', 'c']],
    ['x', 'a', ['a', 'b', 'c']],
    ['a', 'x', ['a', 'b', 'c']],
  ])('moves %s before %s', (id, before, expected) => {
    expect(movedIds(['a', 'b', 'c'], id, before)).toEqual(expected)
  })
})
