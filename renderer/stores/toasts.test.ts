import { beforeEach, describe, expect, it } from 'vitest'

import { useToasts } from './toasts.ts'

const { show, dismiss, undo } = useToasts.getState()
const texts = (): string[] => useToasts.getState().toasts.map(({ text }) => text)

describe('toasts', () => {
  beforeEach(() => useToasts.setState({ toasts: [], nextId: 1 }))

  it('keeps the three newest', () => {
    for (const text of ['a', 'b', 'c', 'd']) show({ text })
    expect(texts()).toEqual(['b', 'c', 'd'])
  })

  it('keeps a question until a fourth one comes', () => {
    show({ text: 'question', stays: true })
    for (const text of ['a', 'b', 'c']) show({ text })
    expect(texts()).toEqual(['question', 'b', 'c'])
    for (const text of ['second', 'third', 'fourth']) show({ text, stays: true })
    expect(texts()).toEqual(['second', 'third', 'fourth'])
  })

  it('keeps one of each topic', () => {
    show({ text: 'first removal', topic: 'change' })
    show({ text: 'a fact' })
    show({ text: 'second removal', topic: 'change' })
    expect(texts()).toEqual(['a fact', 'second removal'])
  })

  it('undoes the newest that can be undone, once', async () => {
    const undone: string[] = []
    show({ text: 'first', undo: () => void undone.push('first') })
    show({ text: 'second', undo: () => void undone.push('second') })
    show({ text: 'a fact' })
    await undo()
    expect(undone).toEqual(['second'])
    expect(texts()).toEqual(['first', 'a fact'])
    await undo()
    await undo()
    expect(undone).toEqual(['second', 'first'])
  })

  it('undoes the one that was pressed, and none that is gone', async () => {
    const undone: string[] = []
    show({ text: 'first', undo: () => void undone.push('first') })
    show({ text: 'second', undo: () => void undone.push('second') })
    await undo(1)
    expect(undone).toEqual(['first'])
    dismiss(2)
    await undo(2)
    expect(undone).toEqual(['first'])
  })
})
