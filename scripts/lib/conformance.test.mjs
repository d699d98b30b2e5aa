import { describe, expect, it } from 'vitest'

import { countChecks } from './conformance.mjs'

const of = (...statuses) => statuses.map((status) => ({ status }))

describe('countChecks', () => {
  it.each([
    ['all passed', of('SUCCESS', 'SUCCESS'), 2, { passed: 2, failed: 0 }],
    ['information does not count', of('INFO', 'SUCCESS', 'SKIPPED'), 1, { passed: 1, failed: 0 }],
    ['more than expected', of('SUCCESS', 'SUCCESS'), 1, { passed: 2, failed: 0 }],
    ['one failed', of('SUCCESS', 'FAILURE'), 2, { passed: 1, failed: 1 }],
    ['a warning is a failure', of('SUCCESS', 'WARNING'), 2, { passed: 1, failed: 1 }],
    ['one is missing', of('SUCCESS'), 3, { passed: 1, failed: 2 }],
    ['no report', [], 2, { passed: 0, failed: 2 }],
    ['nothing but information', of('INFO'), 1, { passed: 0, failed: 1 }],
  ])('%s', (_, checks, expected, counts) => {
    expect(countChecks(checks, expected)).toEqual(counts)
  })
})
