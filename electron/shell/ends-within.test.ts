import { expect, it } from 'vitest'

import { endsWithin } from './ends-within.ts'

it('tells work that ends from work that does not', async () => {
  expect(await endsWithin(Promise.resolve(), 1_000)).toBe(true)
  expect(await endsWithin(new Promise(() => undefined), 20)).toBe(false)
})

it('passes a failure on', async () => {
  await expect(endsWithin(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no')
})
