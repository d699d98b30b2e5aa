import type { ServerDraft, ServerTarget } from '../../../../electron/contract/index.ts'

/** The form of a server, all as it is typed. */
export interface ServerFields {
  readonly kind: 'http' | 'stdio'
  readonly name: string
  readonly url: string
  readonly token: string
  readonly tokenEnv: string
  readonly allowInsecureHttp: boolean
  readonly command: string
  /** One argument a line. */
  readonly args: string
  /** `NAME=value`, one a line. */
  readonly env: string
  /** Names of variables, one a line or with spaces between. */
  readonly envFrom: string
  readonly cwd: string
}

export const NO_FIELDS: ServerFields = {
  kind: 'http',
  name: '',
  url: '',
  token: '',
  tokenEnv: '',
  allowInsecureHttp: false,
  command: '',
  args: '',
  env: '',
  envFrom: '',
  cwd: '',
}

const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n|\r|\n/)
  // The line that a final line end begins is no argument; one in between is: programs take empty ones.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** What a form says, or the line of it that says nothing. */
export function draftOf(fields: ServerFields): { draft: ServerDraft } | { wrongLine: string } {
  const name = fields.name.trim()
  if (fields.kind === 'http') {
    const tokenEnv = fields.tokenEnv.trim()
    const target: ServerTarget = {
      kind: 'http',
      url: fields.url.trim(),
      ...(tokenEnv === '' ? {} : { tokenEnv }),
      ...(fields.allowInsecureHttp ? { allowInsecureHttp: true } : {}),
    }
    return { draft: { name, target } }
  }
  const pairs = linesOf(fields.env).filter((line) => line.trim() !== '')
  const wrong = pairs.find((line) => !/^\s*[^=\s]+\s*=/.test(line))
  if (wrong !== undefined) return { wrongLine: wrong }
  const env = Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]),
  )
  const envFrom = fields.envFrom.split(/[\s,]+/).filter((one) => one !== '')
  const cwd = fields.cwd.trim()
  const target: ServerTarget = {
    kind: 'stdio',
    command: fields.command.trim(),
    args: linesOf(fields.args),
    ...(pairs.length === 0 ? {} : { env }),
    ...(envFrom.length === 0 ? {} : { envFrom }),
    ...(cwd === '' ? {} : { cwd }),
  }
  return { draft: { name, target } }
}

/** The form of a server that is known. */
export function fieldsOf({ name, target }: ServerDraft): ServerFields {
  if (target.kind === 'http') {
    const { url, tokenEnv = '', allowInsecureHttp = false } = target
    return { ...NO_FIELDS, kind: 'http', name, url, tokenEnv, allowInsecureHttp }
  }
  const { command, args, env = {}, envFrom = [], cwd = '' } = target
  return {
    ...NO_FIELDS,
    kind: 'stdio',
    name,
    command,
    // An argument may hold a line end, which a line of its own cannot: such a draft is shown, and read back, in parts.
    args: args.map((arg) => `${arg}\n`).join(''),
    env: Object.entries(env)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
    envFrom: envFrom.join('\n'),
    cwd,
  }
}

/** Whether the form gives a target back as it was: not when an argument or a value holds a line end. */
export function isEditable(draft: ServerDraft): boolean {
  const read = draftOf(fieldsOf(draft))
  return 'draft' in read && JSON.stringify(read.draft) === JSON.stringify(draft)
}

/** Whether everything is filled in that a server cannot do without. */
export const isComplete = (fields: ServerFields): boolean =>
  fields.name.trim() !== '' && (fields.kind === 'http' ? fields.url : fields.command).trim() !== ''

/** Whether a token would cross an address without encryption. */
export const isPlainHttp = (fields: ServerFields): boolean =>
  fields.kind === 'http' && /^http:\/\//i.test(fields.url.trim())

/** What is contacted or run, in one line. Quotes only where a part could not be told from the next one. */
export function placeOf(target: ServerTarget): string {
  if (target.kind === 'http') return target.url
  return [target.command, ...target.args]
    .map((part) => (/^[\w@%+=:,./\\-]+$/.test(part) ? part : JSON.stringify(part)))
    .join(' ')
}
