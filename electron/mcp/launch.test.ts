import { createRequire } from 'node:module'

import { describe, expect, it } from 'vitest'

import { createLastWords } from './last-words.ts'
import { launchOf } from './launch.ts'
import { NotStarted } from './wire-failures.ts'

import type { LaunchHost } from './launch.ts'
import type { StdioEndpoint } from './types.ts'

const FILES = [
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\Users\\Зоя\\AppData\\Roaming\\npm\\weather.cmd',
  'C:\\tools\\uvx.exe',
  'C:\\tools\\both.exe',
  'C:\\tools\\both.cmd',
  'C:\\tools\\old.bat',
  'C:\\work\\run.exe',
  'C:\\work\\node_modules\\.bin\\server.cmd',
]

const windows: LaunchHost = {
  platform: 'win32',
  isFile: (file) => FILES.some((one) => one.toLowerCase() === file.toLowerCase()),
}
const linux: LaunchHost = { platform: 'linux', isFile: () => false }

const ENV = {
  Path: 'C:\\Windows\\system32;"C:\\Program Files\\nodejs";;C:\\tools;C:\\Users\\Зоя\\AppData\\Roaming\\npm',
  SystemRoot: 'C:\\Windows',
}

const of = (
  command: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = ENV,
): StdioEndpoint['stdio'] => ({ command, args, env, cwd: 'C:\\work' })

const CMD = 'C:\\Windows\\System32\\cmd.exe'
const batch = (line: string, file = CMD): object => ({ file, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true })

describe('how a program is started', () => {
  it.each<[string, StdioEndpoint['stdio'], object]>([
    [
      'node by name',
      of('node', ['a b.js']),
      { file: 'C:\\Program Files\\nodejs\\node.exe', args: ['a b.js'], verbatim: false },
    ],
    ['with its ending', of('NODE.EXE'), { file: 'C:\\Program Files\\nodejs\\NODE.EXE', args: [], verbatim: false }],
    ['npx is npx.cmd', of('npx', ['-y', 'x']), batch('C:\\Program^ Files\\nodejs\\npx.cmd ^"-y^" ^"x^"')],
    ['npx.cmd itself', of('npx.cmd'), batch('C:\\Program^ Files\\nodejs\\npx.cmd')],
    ['a batch file', of('old'), batch('C:\\tools\\old.bat')],
    ['an .exe before a .cmd', of('both'), { file: 'C:\\tools\\both.exe', args: [], verbatim: false }],
    ['letters of other alphabets', of('weather'), batch('C:\\Users\\Зоя\\AppData\\Roaming\\npm\\weather.cmd')],
    ['a whole path', of('C:\\tools\\uvx.exe', ['x']), { file: 'C:\\tools\\uvx.exe', args: ['x'], verbatim: false }],
    ['a path from its folder', of('.\\run'), { file: 'C:\\work\\run.exe', args: [], verbatim: false }],
    [
      'a shim of npm, whose arguments pass two interpreters',
      of('node_modules/.bin/server', ['a&b']),
      batch('C:\\work\\node_modules\\.bin\\server.cmd ^^^"a^^^&b^^^"'),
    ],
    ['its folder is not searched for a bare name', of('run'), { file: 'run', args: [], verbatim: false }],
    [
      'what is not there is left to the system',
      of('nothing', ['x']),
      { file: 'nothing', args: ['x'], verbatim: false },
    ],
    ['no PATH', of('npx', [], {}), { file: 'npx', args: [], verbatim: false }],
    ['other endings', of('old', [], { ...ENV, PATHEXT: '.EXE;.CMD' }), { file: 'old', args: [], verbatim: false }],
    [
      'another interpreter',
      of('old', [], { ...ENV, ComSpec: 'D:\\cmd.exe' }),
      batch('C:\\tools\\old.bat', 'D:\\cmd.exe'),
    ],
    ['no interpreter told', of('old', [], { PATH: 'C:\\tools' }), batch('C:\\tools\\old.bat', 'cmd.exe')],
  ])('Windows: %s', (_, stdio, expected) => {
    expect(launchOf(stdio, windows)).toEqual(expected)
  })

  it.each(['npx', '/usr/bin/env', './run', 'a b'])('elsewhere %s is started as it is named', (command) => {
    expect(launchOf(of(command, ['"x"', '$y']), linux)).toEqual({ file: command, args: ['"x"', '$y'], verbatim: false })
  })

  it.each(['a\nb', 'a\rb', 'a\0b'])('Windows: the argument %j cannot be given to a batch file', (argument) => {
    expect(() => launchOf(of('npx', [argument]), windows)).toThrow(NotStarted)
    expect(launchOf(of('node', [argument]), windows).args).toEqual([argument])
  })

  it.each([
    '',
    'plain',
    'a b',
    'C:\\dir\\',
    'say "hi"',
    'back\\"slash',
    '%PATH%',
    'a^b',
    '(x) & <y> | z!',
    '*?',
    '\\\\host\\share\\',
    'é Зоя',
  ])('Windows: %j is escaped as cross-spawn does it', (argument) => {
    const escape = createRequire(import.meta.url)('cross-spawn/lib/util/escape.js') as {
      argument: (text: string, twice: boolean) => string
    }
    const line = launchOf(of('old', [argument]), windows).args[3]
    expect(line).toBe(`"C:\\tools\\old.bat ${escape.argument(argument, false)}"`)
  })
})

describe('last words', () => {
  const words = (text: string, env: Record<string, string> = {}): string => {
    const last = createLastWords(env)
    for (let at = 0; at < text.length; at += 1_000) last.feed(Buffer.from(text.slice(at, at + 1_000)))
    return last.text()
  }

  it.each([
    ['plain', 'Error: x\n  at y\n', 'Error: x\n  at y'],
    ['colours', '\u001b[1;31mError\u001b[0m: x', 'Error: x'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;https://x\u001b\\b', 'ab'],
    ['control characters', 'a\u0000b\u0008c\u009bd\te', 'abcd\te'],
    ['nothing', ' \n', ''],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toBe(expected)
  })

  it('are the last 4 KiB, from the beginning of a line', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('')
    const kept = words(text)
    expect(kept.length).toBeLessThanOrEqual(4 * 1024)
    expect(kept.length).toBeGreaterThan(4_000)
    expect(kept).toMatch(/^line \d+\n/)
    expect(kept).toMatch(/line 999$/)
    expect(words('x'.repeat(10_000))).toHaveLength(4 * 1024)
  })

  it('mask what must not be shown', () => {
    const env = { HA_TOKEN: 'abcdef123', apiKey: 'zyxwvu', MODE: 'production', PASSWORD: 'short' }
    expect(words('token abcdef123, key zyxwvu, mode production, short', env)).toBe(
      'token ***, key ***, mode production, short',
    )
  })
})
