import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { zipSync } from 'fflate'

import { expect, test } from './app.ts'
import { commandOn } from './command.ts'
import { fileOf, profiles } from './profile-files.ts'

import type { ProfileContents } from './profile-files.ts'

/** As odd as a folder can be that is still text. */
const ODD: ProfileContents = {
  'instructions.txt': '\uFEFFYou are kind.\r\n\r\n[x] stays inside a line.\r\nNo newline at the end: 你好, café',
  'tools.txt': '# mine\r\n\r\n  dance  \r\nmove_head # soft\r\nunknown_tool\r\ndance',
  'voice.txt': 'Vivian',
  'greeting.txt': 'Say hello.\n\n',
}

const temporary = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'companion-exchange-'))

async function filesUnder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const read = files.map(async (file) => [path.relative(folder, file), await readFile(file, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('the command line takes a profile out and in again without changing a byte', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({ files: profiles({ odd: ODD }) })
  const out = path.join(await temporary(), 'odd')
  const command = commandOn(app.dataDir)
  expect(await command.json('profiles', 'export', 'odd', '--format', 'folder', '--out', out)).toMatchObject({
    status: 0,
    answer: { ok: true, profile: 'odd', path: out },
  })
  expect(await filesUnder(out)).toMatchObject(ODD)
  // Nothing that exists is overwritten.
  expect((await command.json('profiles', 'export', 'odd', '--format', 'folder', '--out', out)).answer).toMatchObject({
    ok: false,
    error: { code: 'profile/exists' },
  })

  const other = { dataDir: await temporary() }
  const there = commandOn(other.dataDir)
  expect(await there.json('profiles', 'import', out)).toMatchObject({ status: 0, answer: { ok: true, profile: 'odd' } })
  for (const [file, content] of Object.entries(ODD)) expect(await fileOf(other, 'odd', file), file).toBe(content)
  expect((await there.json('profiles', 'import', out)).answer).toMatchObject({ error: { code: 'profile/exists' } })
})

test('profile.md says the same as the four files, both ways', async ({ launchApp }) => {
  test.slow()
  const app = await launchApp({ files: profiles({ odd: ODD }) })
  const out = path.join(await temporary(), 'odd')
  const command = commandOn(app.dataDir)
  const exported = await command.json('profiles', 'export', 'odd', '--format', 'profile-md', '--out', out)
  expect(exported).toMatchObject({ status: 0, answer: { ok: true } })
  // Comments of tools.txt have no place in it, and that is said.
  expect(exported.answer['problems']).toContainEqual(expect.objectContaining({ code: 'profile/not-held' }))
  const written = Object.entries(await filesUnder(out)).find(([name]) => name.endsWith('profile.md'))?.[1] ?? ''
  expect(written).toMatch(/^\+\+\+\nschema_version = 1\n/)
  expect(written).toContain('voice = "Vivian"')
  expect(written).toMatch(/\n\+\+\+\n\nYou are kind\./)

  const other = { dataDir: await temporary() }
  const there = commandOn(other.dataDir)
  const imported = await there.json('profiles', 'import', out)
  expect(imported).toMatchObject({ status: 0 })
  const name = String(imported.answer['profile'])
  const [before, after] = await Promise.all([
    command.json('profiles', 'show', 'odd'),
    there.json('profiles', 'show', name),
  ])
  for (const key of ['tools', 'voice', 'greeting', 'inherits'])
    expect(after.answer[key], key).toEqual(before.answer[key])
})

test('an archive with ways out of its folder is taken over without them', async ({ launchApp }) => {
  const app = await launchApp()
  const folder = await temporary()
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  const archive = path.join(folder, 'evil.zip')
  await writeFile(
    archive,
    zipSync({
      'nice/instructions.txt': text('You are nice.\n'),
      'nice/tools.txt': text('dance\n'),
      'nice/steal.py': text('print("no")\n'),
      '../../outside/instructions.txt': text('Out.\n'),
      '/abs/instructions.txt': text('Abs.\n'),
      'con/instructions.txt': text('Device.\n'),
    }),
  )
  const { status, answer } = await commandOn(app.dataDir).json('profiles', 'import', archive)
  expect(status, JSON.stringify(answer)).toBe(0)
  const folders = await readdir(path.join(app.dataDir, 'profiles'))
  expect(folders).toContain('nice')
  expect(folders.filter((name) => /^(outside|abs|con)$/i.test(name))).toEqual([])
  expect(await readdir(path.join(app.dataDir, 'profiles/nice'))).not.toContain('steal.py')
  expect(JSON.stringify(answer['problems'])).toContain('profile/python-not-copied')
})

test('a folder that holds no profile, and one that does not exist, are said to be so', async ({ launchApp }) => {
  const app = await launchApp()
  const folder = await temporary()
  await mkdir(path.join(folder, 'empty'))
  const command = commandOn(app.dataDir)
  expect((await command.json('profiles', 'import', folder)).answer).toMatchObject({
    ok: false,
    error: { code: 'profile/no-profiles' },
  })
  expect((await command.json('profiles', 'import', path.join(folder, 'nowhere'))).status).toBe(1)
  expect(await readdir(path.join(app.dataDir, 'profiles')).catch(() => [])).toEqual([])
})
