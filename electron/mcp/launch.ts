import path from 'node:path'

import { NotStarted } from './wire-failures.ts'

import type { StdioEndpoint } from './types.ts'

/** What `spawn` is given. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** The arguments are escaped already (`windowsVerbatimArguments`). */
  readonly verbatim: boolean
}

export interface LaunchHost {
  readonly platform: NodeJS.Platform
  isFile(path: string): boolean
}

/**
 * How a program is started. Everywhere but on Windows: as it is named. Windows starts only `.exe` and `.com` by
 * themselves; `npx` is `npx.cmd` there and needs the command interpreter, which Node no longer calls unasked
 * (https://nodejs.org/en/blog/vulnerability/april-2024-security-releases-2). Arguments stay a list up to here.
 *
 * @throws NotStarted for an argument that no command line of Windows can hold.
 */
export function launchOf({ command, args, env, cwd }: StdioEndpoint['stdio'], host: LaunchHost): Launch {
  const asNamed: Launch = { file: command, args, verbatim: false }
  if (host.platform !== 'win32') return asNamed
  const file = findOnWindows(command, env, cwd, host)
  if (file === undefined) return asNamed
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false }
  if ([file, ...args].some((part) => /[\r\n\0]/.test(part))) throw new NotStarted(command, 'line break in an argument')
  // The shims of npm hand their arguments on, which takes the escapes off a second time.
  const times = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file) ? 2 : 1
  const line = [escapeMeta(file, 1), ...args.map((arg) => escapeMeta(quoted(arg), times))].join(' ')
  return { file: interpreter(env), args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

/** A file that Windows would run: a path is taken as it is, a bare name is looked for in `PATH`, never in the current folder. */
function findOnWindows(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
  host: LaunchHost,
): string | undefined {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((extension) => extension !== '')
  const folders = (variable(env, 'PATH') ?? '').split(';').map((folder) => folder.replace(/^"(.*)"$/, '$1'))
  const isPath = /[\\/]/.test(command)
  const bases = isPath
    ? [path.win32.resolve(cwd ?? '.', command)]
    : folders.filter((folder) => folder !== '').map((folder) => path.win32.join(folder, command))
  const named = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
  const endings = named ? ['', ...extensions] : extensions
  return bases
    .flatMap((base) => endings.map((ending) => `${base}${ending.toLowerCase()}`))
    .find((file) => host.isFile(file))
}

/** Names of variables have no case on Windows. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

function interpreter(env: Readonly<Record<string, string>>): string {
  const root = variable(env, 'SYSTEMROOT')
  return variable(env, 'COMSPEC') ?? (root === undefined ? 'cmd.exe' : path.win32.join(root, 'System32', 'cmd.exe'))
}

/** As the C run-time of programs takes an argument apart (https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments). */
function quoted(argument: string): string {
  const backslashes = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')
  return `"${backslashes}"`
}

/** Every sign that means something to the interpreter is taken literally, quotation marks too (https://qntm.org/cmd). */
function escapeMeta(text: string, times: number): string {
  let escaped = text
  for (let time = 0; time < times; time++) escaped = escaped.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&')
  return escaped
}
