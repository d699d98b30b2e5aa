import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

import { beforeEach, describe, expect, it } from 'vitest'

import { standInPath } from './electron-stand-in.mjs'
import { extractFromTgz } from './tar.mjs'

function entry(name, content, type = '0') {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

let dir
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'tar-'))
})

async function extract(entries, wanted) {
  const archive = path.join(dir, 'a.tgz')
  await writeFile(archive, gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])))
  const target = path.join(dir, 'out')
  const found = await extractFromTgz(archive, wanted, target)
  return found ? readFile(target) : null
}

describe('extractFromTgz', () => {
  const large = Buffer.alloc(300_001, 'abc')
  it.each([
    ['small', Buffer.from('hello')],
    ['of a whole block', Buffer.alloc(512, 1)],
    ['larger than a chunk', large],
  ])('finds a file %s between others', async (_name, content) => {
    const entries = [
      entry('package/a', Buffer.alloc(70_000)),
      entry('package/b', content),
      entry('package/c', Buffer.from('x')),
    ]
    expect(Buffer.compare((await extract(entries, 'package/b')) ?? Buffer.alloc(0), content)).toBe(0)
  })

  it('an empty file is a file', async () => {
    expect(
      await extract([entry('package/b', Buffer.alloc(0)), entry('package/c', Buffer.from('x'))], 'package/b'),
    ).toHaveLength(0)
  })

  it('says when there is none, and takes no folder or link for one', async () => {
    const entries = [entry('package/b', Buffer.alloc(0), '5'), entry('package/c', Buffer.from('x'))]
    expect(await extract(entries, 'package/b')).toBeNull()
  })
})

describe('standInPath', () => {
  it.each([
    ['Cypress/Cypress', 'electron'],
    ['Cypress/locales/en-US.pak', 'locales/en-US.pak'],
    ['Cypress/resources/app/index.js', null],
    ['Cypress/browser_v8_context_snapshot.bin', null],
    ['Cypress/locales/', null],
    ['elsewhere/file', null],
  ])('%s becomes %s', (name, expected) => {
    expect(standInPath(name)).toBe(expected)
  })

  it('refuses a name that leaves the folder', () => {
    expect(() => standInPath('Cypress/../../etc/passwd')).toThrow()
  })
})
