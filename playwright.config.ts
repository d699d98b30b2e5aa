import { defineConfig } from '@playwright/test'

/**
 * End-to-end tests drive the real app, the built one (`app`) and the packaged one (`packaged`). `npm test` brings the
 * display and the reports; `npx playwright test --project app` works as well once the app is built.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  use: { trace: 'retain-on-failure' },
  projects: [
    { name: 'app', testMatch: '**/*.spec.ts', testIgnore: '**/packaged.spec.ts' },
    { name: 'packaged', testMatch: '**/packaged.spec.ts' },
  ],
})
