/**
 * What a program needs to run at all. The same idea, and nearly the same names, as the inherited variables of the MCP
 * SDK's own stdio transport (modelcontextprotocol/typescript-sdk, `getDefaultEnvironment`). Everything else of this
 * app's environment, keys above all, is handed on only when it is named.
 */
const BASE: Readonly<Record<'posix' | 'windows', readonly string[]>> = {
  posix: ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  windows: [
    'PATH',
    'PATHEXT',
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'COMSPEC',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROCESSOR_ARCHITECTURE',
    'NUMBER_OF_PROCESSORS',
  ],
}

type Environment = Readonly<Record<string, string | undefined>>

/** A name that the environment of every system can hold. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/**
 * The whole environment of a program: the base, then the variables named by `envFrom`, then the plain values of `env`.
 * A named variable that is not set is left out.
 */
export function programEnvironment(
  own: Environment,
  program: {
    readonly env?: Readonly<Record<string, string>> | undefined
    readonly envFrom?: readonly string[] | undefined
  },
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32'
  // Windows takes `Path` and `PATH` for one variable, and a plain copy of its environment does not.
  const key = (name: string): string => (windows ? name.toUpperCase() : name)
  const wanted = new Set([...BASE[windows ? 'windows' : 'posix'], ...(program.envFrom ?? [])].map(key))
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      wanted.has(key(entry[0])) &&
      // A function exported by a shell, which another shell would run.
      !entry[1].startsWith('()'),
  )
  const result = new Map(inherited)
  for (const [name, value] of Object.entries(program.env ?? {})) {
    for (const present of [...result.keys()]) if (key(present) === key(name)) result.delete(present)
    result.set(name, value)
  }
  return Object.fromEntries(result)
}
