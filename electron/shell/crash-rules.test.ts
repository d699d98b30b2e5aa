import { expect, it } from 'vitest'

import { crashStep } from './crash-rules.ts'

it.each([
  ['crashed', [], 100_000, 'reload'],
  ['oom', [10_000], 100_000, 'reload'],
  ['crashed', [95_000], 100_000, 'ask'],
  ['launch-failed', [1_000, 99_999], 100_000, 'ask'],
  ['killed', [], 100_000, 'reload'],
  ['clean-exit', [], 100_000, 'ignore'],
] as const)('%s after %j at %i: %s', (reason, earlier, now, expected) => {
  expect(crashStep(reason, earlier, now)).toBe(expected)
})
