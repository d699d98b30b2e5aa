import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isDebianLike, missingLibraries } from './linux.mjs'

describe('missingLibraries', () => {
  it('names what ldd did not find, once each', () => {
    const output = [
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibffmpeg.so => /opt/x/libffmpeg.so (0x00007f)',
      '\tlibnss3.so => not found',
      '\tlibgtk-3.so.0 => not found',
      '\tlibnss3.so => not found',
    ].join('\n')
    expect(missingLibraries(output)).toEqual(['libnss3.so', 'libgtk-3.so.0'])
  })

  it('says nothing when all is there, or when there is no ldd', () => {
    expect(missingLibraries('\tlibc.so.6 => /lib/libc.so.6 (0x0)\n')).toEqual([])
    expect(missingLibraries('')).toEqual([])
  })
})

describe('isDebianLike', () => {
  it.each([
    ['ID=debian\nVERSION_ID="12"', true],
    ['NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian', true],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"', true],
    ['ID=fedora\nHOME_URL="https://debian.example"', false],
    ['ID=arch', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isDebianLike(text)).toBe(expected)
  })
})

describe.runIf(process.platform === 'linux')('withDisplay', () => {
  const MODULE = path.join(import.meta.dirname, 'linux.mjs')
  const SCRIPT = `
    import { withDisplay } from ${JSON.stringify(MODULE)}
    await withDisplay(async ({ DISPLAY }) => {
      console.log(DISPLAY)
      if (process.argv[1] === 'wait') await new Promise((resolve) => setTimeout(resolve, 60000))
    })
  `
  let dir

  beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'display-'))))
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  /** A program of Xvfb's name that behaves as it: tells its number, then serves until it is told to end. */
  function start(how, server = 'echo $$ > "$DIR/pid"; echo 77 >&3; exec sleep 60') {
    writeFileSync(path.join(dir, 'Xvfb'), `#!/bin/sh\n${server}\n`)
    chmodSync(path.join(dir, 'Xvfb'), 0o755)
    const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...inherited } = process.env
    const env = { ...inherited, DIR: dir, PATH: `${dir}:${inherited.PATH}` }
    const args = ['--input-type=module', '-e', SCRIPT, '--', how]
    return spawn(process.execPath, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  const serverRuns = () => {
    try {
      return process.kill(Number(readFileSync(path.join(dir, 'pid'), 'utf8')), 0)
    } catch (error) {
      if (error.code === 'ESRCH') return false
      throw error
    }
  }

  it('ends the display after the body', async () => {
    const script = start('end')
    const closed = once(script, 'close')
    expect((await once(script.stdout, 'data')).toString()).toBe(':77\n')
    expect(await closed).toEqual([0, null])
    expect(serverRuns()).toBe(false)
  })

  it.each(['SIGTERM', 'SIGKILL'])('leaves no display behind when the script dies of %s', async (signal) => {
    const script = start('wait')
    await once(script.stdout, 'data')
    expect(serverRuns()).toBe(true)
    script.kill(signal)
    await expect.poll(serverRuns, { timeout: 5_000 }).toBe(false)
  })

  it('keeps the display out of the process group that Ctrl+C reaches', async () => {
    const script = start('wait')
    await once(script.stdout, 'data')
    const display = Number(readFileSync(path.join(dir, 'pid'), 'utf8'))
    const [, , , , group] = readFileSync(`/proc/${display}/stat`, 'utf8').split(' ')
    expect(Number(group)).not.toBe(script.pid)
    script.kill('SIGKILL')
    await expect.poll(serverRuns, { timeout: 5_000 }).toBe(false)
  })

  it('says that the display did not start', async () => {
    const script = start('end', 'exit 1')
    const closed = once(script, 'close')
    let said = ''
    script.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    expect(await closed).toEqual([1, null])
    expect(said).toContain('Xvfb, the virtual display, did not start.')
  })
})
