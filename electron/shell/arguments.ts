/** What the desktop app takes from its command line; every other word is Chromium's or Electron's and left alone. */
export interface DesktopArguments {
  readonly dataDir?: string
  readonly robot?: string
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  const index = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = argv[index]
  if (word === undefined) return undefined
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : argv[index + 1]
  return value === undefined || value === '' || (value.startsWith('--') && !word.includes('=')) ? undefined : value
}

/**
 * Reads `--data-dir DIR` and `--robot R`, also in the form `--flag=value`. What follows `--` is no flag: there the
 * system puts a link, whose text is somebody else's.
 */
export function desktopArguments(line: readonly string[]): DesktopArguments {
  const end = line.indexOf('--')
  const argv = end < 0 ? line : line.slice(0, end)
  const dataDir = valueOf(argv, '--data-dir')
  const robot = valueOf(argv, '--robot')
  return { ...(dataDir === undefined ? {} : { dataDir }), ...(robot === undefined ? {} : { robot }) }
}
