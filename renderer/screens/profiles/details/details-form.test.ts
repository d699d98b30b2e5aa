import { describe, expect, it } from 'vitest'

import { detailsChange, detailsFault, formOf, isEmptyChange, PLAIN_AVATAR } from './details-form.ts'

import type { ProfileDetails } from '../../../../electron/contract/index.ts'
import type { DetailsForm } from './details-form.ts'

const given: ProfileDetails = {
  title: 'Evening',
  avatar: { ...PLAIN_AVATAR, roll: 5 },
  model: { kind: 'named', model: 'qwen3:8b' },
  permissions: { dance: 'ask', camera: 'refuse' },
}

describe('detailsChange', () => {
  it.each<[string, Partial<DetailsForm>, object]>([
    ['nothing', {}, {}],
    ['white space at the ends is nothing', { title: ' Evening ' }, {}],
    ['another title', { title: 'Night' }, { title: 'Night' }],
    ['no title', { title: '' }, { title: null }],
    ['a purpose', { purpose: 'Calm.' }, { purpose: 'Calm.' }],
    ['no face of its own', { avatar: null }, { avatar: null }],
    ['another face', { avatar: PLAIN_AVATAR }, { avatar: PLAIN_AVATAR }],
    ['the model of the app', { model: 'app' }, { model: null }],
    ['the offline brain', { model: 'offline' }, { model: { kind: 'offline' } }],
    ['another model', { modelName: ' llama ' }, { model: { kind: 'named', model: 'llama' } }],
    [
      'permissions',
      { permissions: { dance: 'refuse', move_head: 'ask' } },
      { permissions: { dance: 'refuse', move_head: 'ask', camera: null } },
    ],
  ])('%s', (_, edit, change) => {
    const from = formOf(given)
    expect(detailsChange(from, { ...from, ...edit })).toEqual(change)
  })

  it('the way back says the opposite', () => {
    const from = formOf(given)
    const to: DetailsForm = { ...formOf({}), purpose: 'New.' }
    expect(detailsChange(to, from)).toEqual({
      title: 'Evening',
      purpose: null,
      avatar: given.avatar,
      model: given.model,
      permissions: given.permissions,
    })
    expect(isEmptyChange(detailsChange(from, from))).toBe(true)
    expect(isEmptyChange(detailsChange(from, to))).toBe(false)
  })
})

describe('detailsFault', () => {
  it.each<[Partial<DetailsForm>, string | null]>([
    [{}, null],
    [{ model: 'named', modelName: ' ' }, 'model'],
    [{ model: 'named', modelName: 'llama' }, null],
    [{ model: 'offline', modelName: '' }, null],
  ])('%j: %s', (edit, fault) => {
    expect(detailsFault({ ...formOf({}), ...edit })).toBe(fault)
  })
})
