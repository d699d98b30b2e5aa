import { describe, expect, it } from 'vitest'

import { freshDraft, heldTools, isDirty, isOn, reread, shownTools, withoutDone } from './drafts.ts'

import type { ProfileDocument } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'

const read: ProfileDocument = {
  name: 'mine',
  source: 'user',
  edited: false,
  path: '/data/profiles/mine',
  toolsText: 'dance\r\n',
  inheritedToolsText: 'move_head\n',
  instructionsText: 'Be calm.',
  revision: 'r1',
  readOnlyFiles: [],
  problems: [],
}
const clean: Draft = freshDraft(read)
const typed: Draft = { ...clean, toolsText: 'dance\r\ncamera\r\n' }

describe('isDirty', () => {
  it.each([
    ['as read', clean, false],
    ['typed', typed, true],
    ['instructions', { ...clean, instructionsText: 'Be loud.' }, true],
    ['typed and taken back', { ...typed, toolsText: 'dance\r\n' }, false],
    ['a switch that is on its way', { ...clean, pending: new Map([['dance', false]]) }, true],
    ['line endings alone', { ...clean, toolsText: 'dance\n' }, true],
  ])('%s: %s', (_, draft, dirty) => {
    expect(isDirty(draft)).toBe(dirty)
  })
})

describe('inherited list', () => {
  const inheriting = { ...read, toolsText: null }
  it('is shown and stays inherited until it differs', () => {
    expect(shownTools(freshDraft(inheriting))).toBe('move_head\n')
    expect(heldTools('move_head\n', inheriting)).toBeNull()
    expect(heldTools('move_head\ndance\n', inheriting)).toBe('move_head\ndance\n')
  })
  it('does not swallow an own list that happens to be equal', () => {
    expect(heldTools('move_head\n', read)).toBe('move_head\n')
  })
})

describe('reread', () => {
  const changed: ProfileDocument = { ...read, revision: 'r2', toolsText: 'camera\n' }

  it('takes the new text when nothing was typed', () => {
    expect(reread(clean, changed).toolsText).toBe('camera\n')
  })
  it('never replaces what was typed, and says that the file is another one', () => {
    const draft = reread(typed, changed)
    expect(draft.toolsText).toBe('dance\r\ncamera\r\n')
    expect(draft.document.revision).toBe('r1')
    expect(draft.conflict?.code).toBe('profile/changed-outside')
  })
  it('sees no conflict when the files are the ones that were read', () => {
    const draft = reread(typed, { ...read, edited: true })
    expect(draft.conflict).toBeNull()
    expect(draft.document.edited).toBe(true)
  })
  it('concludes nothing while a save is under way', () => {
    const saving = { ...typed, saving: true }
    expect(reread(saving, changed)).toBe(saving)
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
})
