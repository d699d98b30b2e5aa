import { expect, it } from 'vitest'

import { countPlaywright, countVitest } from './reports.mjs'

const file = (status, tests) => ({ status, assertionResults: tests })

it('counts vitest, and a file that cannot be loaded as one failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [file('passed', [{}]), file('failed', [{}, {}]), file('failed', [])],
  }
  expect(countVitest(report)).toEqual({ passed: 3, failed: 2 })
})

it.each([
  [{ expected: 5, unexpected: 0, flaky: 0, skipped: 0 }, [], { passed: 5, failed: 0 }],
  [{ expected: 5, unexpected: 2, flaky: 1, skipped: 1 }, [], { passed: 5, failed: 3 }],
  [{ expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, [{ message: 'syntax' }], { passed: 0, failed: 1 }],
])('counts playwright: %j', (stats, errors, expected) => {
  expect(countPlaywright({ stats, errors })).toEqual(expected)
})
