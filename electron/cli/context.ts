import type { Companion } from '../companion.ts'
import type { Outcome } from './output.ts'

/** @throws the reason of `signal`. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>

export interface CommandContext {
  readonly companion: Companion
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  /** The current folder. */
  readonly cwd: string
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** A line for people on stderr; nothing with `--json`. */
  progress(line: string): void
  /** What a person has to know besides the answer, on stderr, also with `--json`. */
  note(line: string): void
  /** Asks a person on the terminal and answers the line they typed; absent without a terminal. */
  readonly ask?: Ask
  /** Text as it comes, on stdout; nothing with `--json`. */
  stream(text: string): void
}

export type Command = (context: CommandContext) => Promise<Outcome>

/** The value of a flag that takes one. */
export function flag(context: CommandContext, name: string): string | undefined {
  const value = context.flags[name]
  return typeof value === 'string' ? value : undefined
}

/** `--profile`, else the active profile. @throws CompanionError `profile/not-found` when there is none of that name. */
export async function profileOf(context: CommandContext): Promise<string> {
  const { profiles } = context.companion
  const name = flag(context, 'profile')
  if (name === undefined) return profiles.active()
  await profiles.read(name)
  return name
}
