/**
 * Counts of single tests in the reports of the two runners.
 * @typedef {{ passed: number, failed: number }} Counts
 */

/** Vitest's JSON report (Jest's format). A file that could not even be loaded counts as one failure. @returns {Counts} */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** Playwright's JSON report; `flaky` passed only when tried again and `skipped` not at all. @returns {Counts} */
export function countPlaywright(report) {
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky + (unexpected + flaky === 0 ? report.errors.length : 0) }
}
