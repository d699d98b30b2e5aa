import { parseArgs } from 'node:util'

import { CompanionError } from '../contract/index.ts'

import { COMMANDS, GLOBAL_FLAGS } from './catalogue.ts'

import type { CommandName, FlagKind } from './catalogue.ts'

export interface Invocation {
  /** `null`: only global flags were given. */
  readonly command: CommandName | null
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
}

function usage(reason: string): CompanionError {
  return new CompanionError('cli/usage', { reason })
}

/** All flags of all commands, so that a value is never taken for a command word. */
function allFlags(): Record<string, { type: FlagKind }> {
  const kinds: Record<string, FlagKind> = { ...GLOBAL_FLAGS }
  for (const command of Object.values(COMMANDS)) Object.assign(kinds, command.flags)
  return Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }]))
}

/** Longest command that the first words name; `robot` alone names none. */
function commandOf(words: readonly string[]): { name: CommandName | null; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (words.length >= length && Object.hasOwn(COMMANDS, name))
      return { name: name as CommandName, rest: words.slice(length) }
  }
  return { name: null, rest: words }
}

/**
 * Reads the words of a command line. Global flags may stand anywhere, `--` ends flags; nothing is abbreviated.
 * @throws CompanionError `cli/usage` for unknown flags and commands, missing values and surplus words.
 */
export function parseInvocation(args: readonly string[]): Invocation {
  const flagKinds = allFlags()
  const { tokens } = parseArgs({
    args: [...args],
    options: flagKinds,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const { name, rest } = commandOf(words)
  if (name === null && words.length > 0) throw usage(`Unknown command: ${words.slice(0, 2).join(' ')}`)

  const allowed: Record<string, FlagKind> = { ...GLOBAL_FLAGS, ...(name === null ? {} : COMMANDS[name].flags) }
  const flags: Record<string, string | true> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const kind = Object.hasOwn(allowed, token.name) ? allowed[token.name] : undefined
    if (kind === undefined || !token.rawName.startsWith('--')) throw usage(`Unknown flag: ${token.rawName}`)
    if (kind === 'boolean' && token.value !== undefined) throw usage(`${token.rawName} takes no value`)
    if (kind === 'string' && (token.value === undefined || token.value === ''))
      throw usage(`${token.rawName} needs a value`)
    if (Object.hasOwn(flags, token.name)) throw usage(`${token.rawName} is given twice`)
    flags[token.name] = token.value ?? true
  }

  if (name !== null && flags.help !== true) {
    const { min, max } = COMMANDS[name].words
    if (rest.length < min) throw usage(`Too few words. Usage: ${name} ${COMMANDS[name].usage}`.trim())
    if (rest.length > max) throw usage(`Too many words: ${rest.slice(max).join(' ')}`)
  }
  return { command: name, positionals: rest, flags }
}
