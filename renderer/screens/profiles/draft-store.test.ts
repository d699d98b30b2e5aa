import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CompanionError } from '../../../electron/contract/index.ts'
import { openHouse } from '../../../electron/profiles/testing/house.ts'

import { canRedo, canUndo, isDirty, isOn, shownTools } from './drafts.ts'

import type { ProfileFile, ProfileTexts } from '../../../electron/contract/index.ts'
import type { House } from '../../../electron/profiles/testing/house.ts'
import type { Profiles } from '../../../electron/profiles/types.ts'
import type { DraftsState } from './draft-store.ts'
import type { Draft } from './drafts.ts'

const TOOLS = '# mine\r\ndance\r\nmove_head'
const WORDS = 'First.\nSecond.\nThird.\n'

interface Edit {
  name: string
  texts: ProfileTexts
  enable: string[]
  disable: string[]
  move?: { id: string; before: string | null }
}

let house: House
let profiles: Profiles
let drafts: () => DraftsState
/** Requests of this route wait until they are let go. */
let held: { route: string; release: Array<() => void> } | null

/** The routes as the main process answers them, with the real room behind. */
async function answer(route: string, payload: never): Promise<unknown> {
  const { name } = payload as { name: string }
  switch (route) {
    case 'profiles.read':
      return profiles.read(name)
    case 'profiles.save':
      return profiles.save(payload)
    case 'profiles.rebase':
      return profiles.rebase(payload)
    case 'profiles.keepUnsaved':
      return profiles.keepUnsaved(name, (payload as { unsaved: null }).unsaved)
    case 'profiles.unsaved':
      return { unsaved: await profiles.unsaved() }
    case 'profiles.create':
      return profiles.create(name, (payload as { from: string }).from)
    case 'profiles.draft': {
      const { texts, enable, disable, move }: Edit = payload
      const { text, toolsText } = profiles.editDraft(await profiles.read(name), texts['tools.txt'], {
        enable,
        disable,
        move,
      })
      const lines = profiles.parseTools(text).filter((line) => !line.duplicate)
      return { toolsText, ids: lines.map(({ id }) => id), problems: await profiles.checkTexts(name, texts) }
    }
    default:
      throw new Error(`nobody answers ${route}`)
  }
}

async function request(route: string, payload: never): Promise<unknown> {
  if (held?.route === route) await new Promise<void>((resolve) => held?.release.push(resolve))
  try {
    return { ok: true, value: await answer(route, payload) }
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error
    return { ok: false, error: { code: error.code, message: error.message, details: error.details } }
  }
}

/** The page as it is after a start: nothing in memory. */
async function start(): Promise<void> {
  vi.resetModules()
  vi.stubGlobal('window', { companion: { request, on: () => () => undefined } })
  drafts = (await import('./draft-store.ts')).useDrafts.getState
}

const now = (): Draft => {
  const draft = drafts().drafts['mine']
  if (!draft) throw new Error('there is no draft')
  return draft
}
const settled = (): Promise<void> => vi.waitFor(() => expect([now().pending.size, now().diagnosed]).toEqual([0, now().texts]))
const outside = (file: ProfileFile, text: string): void => writeFileSync(path.join(house.user, 'mine', file), text)
const onDisk = (file: ProfileFile): string => Buffer.from(house.bytes(house.user, 'mine', file), 'latin1').toString()

beforeEach(async () => {
  house = await openHouse()
  house.put(house.user, 'mine', { 'tools.txt': TOOLS, 'instructions.txt': WORDS })
  profiles = house.open()
  held = null
  await start()
  await drafts().open('mine')
  await settled()
})
afterEach(async () => {
  // Texts that are still to be kept go to this house, not to the next test's.
  await new Promise((resolve) => setTimeout(resolve, 600))
  vi.unstubAllGlobals()
  await house.close()
})

describe('switches and typing', () => {
  it('make one document, taken back and done again step by step, whoever made the step', async () => {
    drafts().press('mine', 'camera', true)
    await settled()
    drafts().type('mine', 'tools.txt', `${shownTools(now())}# end\r\n`)
    drafts().type('mine', 'instructions.txt', 'Other.\n')
    drafts().press('mine', 'dance', false)
    await settled()
    const last = now().texts
    expect(last['tools.txt']).toBe('# mine\r\nmove_head\r\ncamera\r\n# end\r\n')

    await drafts().undo('mine')
    expect(isOn(now(), 'dance')).toBe(true)
    await drafts().undo('mine')
    expect(now().texts['instructions.txt']).toBe(WORDS)
    await drafts().undo('mine')
    await drafts().undo('mine')
    expect(now().texts).toEqual(now().document.texts)
    expect([isDirty(now()), canUndo(now()), canRedo(now())]).toEqual([false, false, true])

    for (let i = 0; i < 4; i += 1) await drafts().redo('mine')
    expect(now().texts).toEqual(last)
    await drafts().undo('mine', 'instructions.txt')
    expect(now().texts).toEqual({ ...last, 'instructions.txt': WORDS })
  })

  it('a switch that is on its way is the first thing to be taken back', async () => {
    held = { route: 'profiles.draft', release: [] }
    drafts().press('mine', 'camera', true)
    const undone = drafts().undo('mine')
    await vi.waitFor(() => expect(held?.release).toHaveLength(1))
    const { release } = held
    held = null
    release[0]?.()
    await undone
    await settled()
    expect(shownTools(now())).toBe(TOOLS)
    expect(isOn(now(), 'camera')).toBe(false)
  })

  it('a switch that was pressed while the text was typed is done on the newest text', async () => {
    held = { route: 'profiles.draft', release: [] }
    drafts().press('mine', 'camera', true)
    await vi.waitFor(() => expect(held?.release).toHaveLength(1))
    drafts().type('mine', 'tools.txt', 'dance\n')
    const { release } = held
    held = null
    release[0]?.()
    await settled()
    expect(shownTools(now())).toBe('dance\ncamera\n')
  })

  it('many switches and a move are more than one request, and all arrive', async () => {
    const ids = Array.from({ length: 450 }, (_, i) => `tool_${i}`)
    drafts().pressAll('mine', ids, true)
    drafts().move('mine', 'move_head', 'dance')
    await settled()
    expect(now().ids).toEqual(['move_head', 'dance', ...ids])
  })
})

describe('saving', () => {
  it('writes the changed files, and what is typed meanwhile stays unsaved', async () => {
    drafts().type('mine', 'instructions.txt', 'Saved.\n')
    held = { route: 'profiles.save', release: [] }
    const saving = drafts().save('mine')
    await vi.waitFor(() => expect(held?.release).toHaveLength(1))
    drafts().type('mine', 'instructions.txt', 'Saved. More.\n')
    held.release[0]?.()
    held = null
    await saving
    expect(onDisk('instructions.txt')).toBe('Saved.\n')
    expect(onDisk('tools.txt')).toBe(TOOLS)
    expect(now().texts['instructions.txt']).toBe('Saved. More.\n')
    expect([isDirty(now()), now().saving]).toEqual([true, false])
  })

  it('keeps a change of another program beside the own one, and says so', async () => {
    drafts().type('mine', 'instructions.txt', `${WORDS}Fourth.\n`)
    outside('instructions.txt', `Zeroth.\n${WORDS}`)
    await drafts().save('mine')
    expect(onDisk('instructions.txt')).toBe(`Zeroth.\n${WORDS}Fourth.\n`)
    expect(now()).toMatchObject({ merged: ['instructions.txt'], conflict: null, saving: false })
    expect(isDirty(now())).toBe(false)
  })

  it('a failure leaves the texts as they are', async () => {
    drafts().type('mine', 'instructions.txt', 'half a character: \ud83d')
    await drafts().save('mine')
    expect(now().failure?.code).toBe('profile/not-utf8')
    expect(now().texts['instructions.txt']).toBe('half a character: \ud83d')
    expect(onDisk('instructions.txt')).toBe(WORDS)
  })
})

describe('files changed outside', () => {
  it('are shown where nothing is unsaved, without a step to take back', async () => {
    outside('tools.txt', 'camera\n')
    await drafts().open('mine')
    await settled()
    expect([shownTools(now()), isDirty(now()), canUndo(now())]).toEqual(['camera\n', false, false])
  })

  it.each([
    ['mine', 'My First.\n', 'Their First.\n'],
    ['theirs', 'Their First.\n', 'My First.\n'],
  ] as const)('in the same line wait for a decision; %s, and the other is one undo away', async (take, kept, other) => {
    drafts().type('mine', 'instructions.txt', 'My First.\n')
    outside('instructions.txt', 'Their First.\n')
    await drafts().save('mine')
    expect(now().conflict?.files).toEqual(['instructions.txt'])
    expect(onDisk('instructions.txt')).toBe('Their First.\n')

    if (take === 'mine') drafts().keepMine('mine')
    else drafts().takeTheirs('mine')
    expect(now().conflict).toBeNull()
    expect(now().texts['instructions.txt']).toBe(kept)
    await drafts().undo('mine')
    expect(now().texts['instructions.txt']).toBe(other)
    await drafts().redo('mine')
    await drafts().save('mine')
    expect(onDisk('instructions.txt')).toBe(kept)
  })

  it('saving again while undecided writes nothing', async () => {
    drafts().type('mine', 'instructions.txt', 'My First.\n')
    outside('instructions.txt', 'Their First.\n')
    await drafts().save('mine')
    await drafts().save('mine')
    expect(onDisk('instructions.txt')).toBe('Their First.\n')
    expect(now().texts['instructions.txt']).toBe('My First.\n')
  })

  it('a file that was removed while it is edited is a decision too', async () => {
    drafts().type('mine', 'tools.txt', 'camera\n')
    rmSync(path.join(house.user, 'mine', 'tools.txt'))
    await drafts().open('mine')
    await vi.waitFor(() => expect(now().conflict?.files).toEqual(['tools.txt']))
    drafts().takeTheirs('mine')
    expect(now().texts['tools.txt']).toBeNull()
    await drafts().undo('mine')
    expect(shownTools(now())).toBe('camera\n')
  })

  it('a whole profile that was removed keeps its unsaved texts, and can be made again from them', async () => {
    drafts().press('mine', 'camera', true)
    await settled()
    drafts().type('mine', 'instructions.txt', 'Mine.\n')
    rmSync(path.join(house.user, 'mine'), { recursive: true })
    profiles.touched()
    await drafts().open('mine')
    expect(now()).toMatchObject({ gone: true, texts: { 'instructions.txt': 'Mine.\n' } })
    await drafts().bringBack('mine')
    expect(onDisk('instructions.txt')).toBe('Mine.\n')
    expect(onDisk('tools.txt')).toBe(`${TOOLS}\r\ncamera\r\n`)
    expect(isDirty(now())).toBe(false)
  })
})

describe('a crash', () => {
  it('leaves the unsaved texts, put on what another program wrote meanwhile', async () => {
    drafts().type('mine', 'instructions.txt', `${WORDS}Unsaved.\n`)
    await vi.waitFor(async () => expect(await profiles.unsaved()).toHaveLength(1), 3_000)
    outside('instructions.txt', `Zeroth.\n${WORDS}`)

    await start()
    await drafts().open('mine')
    expect(now().texts['instructions.txt']).toBe(`Zeroth.\n${WORDS}Unsaved.\n`)
    expect(now().recoveredAt).toBeGreaterThan(0)
    expect(isDirty(now())).toBe(true)

    const given = drafts().discard('mine')
    expect(now()).toMatchObject({ recoveredAt: null, texts: { 'instructions.txt': `Zeroth.\n${WORDS}` } })
    await vi.waitFor(async () => expect(await profiles.unsaved()).toEqual([]), 3_000)
    if (given) drafts().restore(given)
    expect(now().texts['instructions.txt']).toBe(`Zeroth.\n${WORDS}Unsaved.\n`)
    await drafts().save('mine')
    expect(onDisk('instructions.txt')).toBe(`Zeroth.\n${WORDS}Unsaved.\n`)
    await vi.waitFor(async () => expect(await profiles.unsaved()).toEqual([]), 3_000)
  })
})
