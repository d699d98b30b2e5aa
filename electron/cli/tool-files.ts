import { CompanionError } from '../contract/index.ts'

import { profileOf } from './context.ts'
import { plain } from './output.ts'

import type { LocalTool } from '../tools/index.ts'
import type { Command, CommandContext } from './context.ts'

/**
 * The file behind an ID: one for all profiles, or one in the folder of `--profile` or the active profile.
 * @throws CompanionError `tools/unknown` without such a file, `tools/duplicate-name` when there are two.
 */
async function fileOf(context: CommandContext): Promise<LocalTool> {
  const [id = ''] = context.words
  const profile = await profileOf(context)
  const files = await context.companion.localTools.list()
  const [file, second] = files.filter((one) => one.id === id && (one.profile === null || one.profile === profile))
  if (file === undefined) throw new CompanionError('tools/unknown', { id: plain(id) })
  if (second !== undefined) {
    throw new CompanionError('tools/duplicate-name', { id, first: file.path, second: second.path })
  }
  return file
}

/** Everything but a clear yes is a no. */
const isYes = (text: string): boolean => /^\s*y(es)?\s*$/i.test(text)

/** @throws CompanionError `tools/needs-approval` when nobody can be asked, `tools/denied` for anything but a yes. */
async function askFirst(context: CommandContext, { id, path, bytes }: LocalTool, sha256: string): Promise<void> {
  if (context.flags.yes === true) return
  if (context.ask === undefined) {
    context.note(`There is no terminal to ask on. --yes allows the file with SHA-256 ${sha256}.`)
    throw new CompanionError('tools/needs-approval', { id })
  }
  const question = [
    plain(path, 4_000),
    `${bytes} bytes, SHA-256 ${sha256}`,
    'It is a program and runs with your rights. Read it first.',
    `Allow ${id} to run as it is now? [y]es, [N]o `,
  ].join('\n')
  if (!isYes(await context.ask(question, context.signal))) throw new CompanionError('tools/denied', { id })
}

export const allow: Command = async (context) => {
  const { localTools } = context.companion
  const file = await fileOf(context)
  // What is allowed is what was read now: a file that changes meanwhile is refused.
  const { sha256 } = await localTools.readFile(file.path)
  await askFirst(context, file, sha256)
  const allowed = await localTools.allow(file.path, sha256)
  const tools = allowed.members.map(({ name, description }) => ({ name, description }))
  return {
    json: { id: file.id, path: file.path, sha256, tools },
    text: [
      `${file.id} may run: ${plain(file.path, 4_000)}`,
      `SHA-256 ${sha256}`,
      ...tools.map(({ name, description }) => `  ${plain(name)}  ${plain(description)}`),
      `It asks before each call. profiles enable NAME ${file.id} switches it on.`,
    ],
  }
}

export const forbid: Command = async (context) => {
  const file = await fileOf(context)
  await context.companion.localTools.forbid(file.path)
  return {
    json: { id: file.id, path: file.path },
    text: [`${file.id} may run no more: ${plain(file.path, 4_000)}`],
  }
}
