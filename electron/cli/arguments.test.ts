import { describe, expect, it } from 'vitest'

import { CompanionError } from '../contract/index.ts'

import { parseInvocation } from './arguments.ts'
import { COMMANDS, helpText, isMissing } from './catalogue.ts'
import { RUN } from './commands.ts'

import type { CommandName } from './catalogue.ts'

describe('parseInvocation', () => {
  it.each([
    [['tool-spaces', 'list'], 'tool-spaces list', [], {}],
    [['--json', 'tool-spaces', 'list'], 'tool-spaces list', [], { json: true }],
    [['tool-spaces', '--data-dir', '/x', 'list', '--json'], 'tool-spaces list', [], { 'data-dir': '/x', json: true }],
    [
      ['tool-spaces', 'add', 'a/b', '--profile=p', '--install-only'],
      'tool-spaces add',
      ['a/b'],
      { profile: 'p', 'install-only': true },
    ],
    [['chat', '--', '--json'], 'chat', ['--json'], {}],
    [['tools', 'call', 'x', '{"a":1}'], 'tools call', ['x', '{"a":1}'], {}],
    [['profiles', 'enable', 'p', 'a', 'b', 'c'], 'profiles enable', ['p', 'a', 'b', 'c'], {}],
    [['tool-spaces', 'search'], 'tool-spaces search', [], {}],
    [['--help'], null, [], { help: true }],
    [['tool-spaces', 'add', '--help'], 'tool-spaces add', [], { help: true }],
  ])('%j', (args, command, positionals, flags) => {
    expect(parseInvocation(args)).toEqual({ command, positionals, flags })
  })

  it.each([
    [['tool-spaces', 'add', 'a/b', '--instal_only']],
    [['tool-spaces', 'add', 'a/b', '--install']],
    [['tool-spaces', 'list', '--profile', 'x']],
    [['tool-spaces', 'add']],
    [['tool-spaces', 'add', 'a/b', 'c/d']],
    [['tool-spaces', 'install', 'a/b']],
    [['tool-spaces']],
    [['robot']],
    [['bogus']],
    [['tools', 'list', '--profile']],
    [['tools', 'list', '--profile=']],
    [['tools', 'list', '--json=yes']],
    [['tools', 'list', '--json', '--json']],
    [['tools', 'list', '-j']],
    [['chat']],
    [['chat', 'two', 'words']],
    [['constructor']],
    [['tools', 'list', '--__proto__', 'x']],
  ])('%j is wrong usage', (args) => {
    let thrown: unknown
    try {
      parseInvocation(args)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(CompanionError)
    expect(thrown).toMatchObject({ code: 'cli/usage' })
  })
})

describe('commands', () => {
  const names = Object.keys(COMMANDS) as CommandName[]

  it('each name either runs or says that it is not available yet', () => {
    expect(names.filter((name) => isMissing(name) === (RUN[name] !== undefined))).toEqual([])
  })

  it('help names every command', () => {
    const text = helpText(null)
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })
})
