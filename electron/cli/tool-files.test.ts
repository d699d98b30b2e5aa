import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { runCli } from './run.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'cli-'))
})
afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly answer: Record<string, unknown> & { error?: { code: string } }
  readonly stderr: string
  readonly questions: string[]
}

/** @param says what a person types; absent: there is no terminal. */
async function run(words: string[], says?: string): Promise<Answer> {
  let stdout = ''
  let stderr = ''
  const questions: string[] = []
  const status = await runCli({
    args: [...words, '--json', '--data-dir', dataDir],
    env: {},
    root: path.resolve(import.meta.dirname, '../..'),
    version: '0.0.0',
    fetch,
    signal: new AbortController().signal,
    ...(says === undefined
      ? {}
      : {
          ask: async (question: string) => {
            questions.push(question)
            return says
          },
        }),
    stdout: (piece) => void (stdout += piece),
    stderr: (piece) => void (stderr += piece),
  })
  return { status, answer: JSON.parse(stdout) as Answer['answer'], stderr, questions }
}

const source = (name: string): string => `export default {
  name: '${name}',
  description: 'Rolls a die.',
  parameters: { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] },
  async run({ sides }) { return { points: sides } },
}
`

async function file(name: string, content: string): Promise<{ full: string; sha256: string }> {
  const full = path.join(dataDir, name)
  await mkdir(path.dirname(full), { recursive: true })
  await writeFile(full, content)
  return { full, sha256: createHash('sha256').update(content).digest('hex') }
}

const listed = async (id: string): Promise<Record<string, unknown> | undefined> =>
  ((await run(['tools', 'list'])).answer.tools as Array<Record<string, unknown>>).find((tool) => tool.id === id)

describe('tools allow', () => {
  it('shows path and hash, and takes nothing but a yes', async () => {
    const { full, sha256 } = await file('external_tools/dice.mjs', source('roll'))
    for (const no of ['', 'n', 'yes please', 'allow']) {
      const { status, answer, questions } = await run(['tools', 'allow', 'dice'], no)
      expect([status, answer.error?.code]).toEqual([1, 'tools/denied'])
      expect(questions).toHaveLength(1)
      expect(questions[0]).toContain(full)
      expect(questions[0]).toContain(sha256)
    }
    expect(await listed('dice')).toMatchObject({
      source: 'local',
      origin: full,
      available: false,
      code: 'tools/not-allowed',
      file: { path: full, sha256, state: 'not-allowed', tools: [] },
    })
    expect((await run(['tools', 'allow', 'dice'], 'y')).answer).toEqual({
      ok: true,
      id: 'dice',
      path: full,
      sha256,
      tools: [{ name: 'roll', description: 'Rolls a die.' }],
    })
    expect(await listed('dice')).toMatchObject({ available: true, file: { state: 'ready' } })
  })

  it('without a terminal wants --yes, and still asks before each call', async () => {
    await file('external_tools/dice.mjs', source('roll'))
    const refused = await run(['tools', 'allow', 'dice'])
    expect(refused).toMatchObject({ status: 1, answer: { error: { code: 'tools/needs-approval' } } })
    expect(refused.stderr).toContain('--yes')
    expect((await run(['tools', 'allow', 'dice', '--yes'])).status).toBe(0)
    const given = ['tools', 'call', 'roll', '{"sides":6}']
    expect((await run(given)).answer.error?.code).toBe('tools/not-enabled')
    await run(['profiles', 'enable', 'default', 'dice'])
    expect((await run(given)).answer.error?.code).toBe('tools/needs-approval')
    expect(await run(given, 'y')).toMatchObject({
      status: 0,
      answer: { result: { text: '{"points":6}', is_error: false } },
      questions: [expect.stringContaining('It is a program on this computer')],
    })
  })

  it('is for exactly these bytes', async () => {
    await file('external_tools/dice.mjs', source('roll'))
    await run(['tools', 'allow', 'dice', '--yes'])
    await file('external_tools/dice.mjs', `${source('roll')}\n`)
    expect(await listed('dice')).toMatchObject({ available: false, code: 'tools/file-changed' })
  })

  it('says why a file offers no tool, and leaves it off', async () => {
    await file('external_tools/dice.mjs', 'export default 3\n')
    expect(await run(['tools', 'allow', 'dice', '--yes'])).toMatchObject({
      status: 1,
      answer: { error: { code: 'tools/bad-file' } },
    })
    expect(await listed('dice')).toMatchObject({ available: false })
  })

  it('knows the files of a profile only in it, and names two of one name', async () => {
    await file('profiles/mine/instructions.txt', 'Be mine.\n')
    const own = await file('profiles/mine/dice.mjs', source('roll'))
    expect((await run(['tools', 'allow', 'dice', '--yes'])).answer.error?.code).toBe('tools/unknown')
    expect((await run(['tools', 'allow', 'dice', '--yes', '--profile', 'mine'])).answer).toMatchObject({
      path: own.full,
    })
    const shared = await file('external_tools/dice.mjs', source('roll'))
    const { answer } = await run(['tools', 'allow', 'dice', '--yes', '--profile', 'mine'])
    expect(answer.error).toMatchObject({ code: 'tools/duplicate-name' })
    for (const { full } of [own, shared]) expect(JSON.stringify(answer.error)).toContain(full)
    expect((await run(['tools', 'allow', 'nobody', '--yes'])).answer.error?.code).toBe('tools/unknown')
    expect((await run(['tools', 'allow', '../dice', '--yes'])).answer.error?.code).toBe('tools/unknown')
  })
})

describe('tools forbid', () => {
  it('takes the permission away', async () => {
    const { full } = await file('external_tools/dice.mjs', source('roll'))
    await run(['tools', 'allow', 'dice', '--yes'])
    expect((await run(['tools', 'forbid', 'dice'])).answer).toEqual({ ok: true, id: 'dice', path: full })
    expect(await listed('dice')).toMatchObject({ available: false, code: 'tools/not-allowed' })
    expect((await run(['tools', 'forbid', 'nobody'])).answer.error?.code).toBe('tools/unknown')
  })
})

describe('tools list', () => {
  it('tells a file that has the name of one of the robot’s tools', async () => {
    const { full } = await file('external_tools/dance.mjs', source('waltz'))
    const { answer } = await run(['tools', 'list'])
    expect(answer.notices).toEqual([
      {
        code: 'tools/duplicate-name',
        reason: `Two sources offer a tool dance: robot (dance) and ${full}.`,
      },
    ])
    expect(await listed('dance')).toMatchObject({ source: 'built-in', available: true })
  })
})
