/** `node scripts/conformance.mjs`: the MCP client against the official conformance suite. `npm test` does it too. */
import { rm } from 'node:fs/promises'
import path from 'node:path'

import { conformance } from './lib/conformance.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { program, root } from './lib/run.mjs'

await program(async () => {
  await ensurePackages()
  const reports = path.join(root, 'test-results', 'conformance')
  await rm(reports, { recursive: true, force: true })
  const { ok, counts } = await conformance(reports)
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
  return ok ? 0 : 1
})
