export type FlagKind = 'boolean' | 'string'

export const GLOBAL_FLAGS = {
  'data-dir': 'string',
  json: 'boolean',
  robot: 'string',
  help: 'boolean',
  version: 'boolean',
} as const satisfies Record<string, FlagKind>

interface CommandSpec {
  readonly usage: string
  readonly about: string
  /** How many words may follow. */
  readonly words: { min: number; max: number }
  readonly flags: Readonly<Record<string, FlagKind>>
  /** Known by name, answered with `cli/not-available-yet`. */
  readonly missing?: true
}

const unlimited = Number.POSITIVE_INFINITY

/** Every command with what may follow it. Names are fixed; scripts depend on them. */
export const COMMANDS = {
  'tool-spaces add': {
    usage: 'SPACE [--profile NAME] [--install-only] [--accept-changes] [--instance DIR]',
    about: 'Install the tools of a Space; SPACE is owner/name or any link to it',
    words: { min: 1, max: 1 },
    flags: { profile: 'string', 'install-only': 'boolean', 'accept-changes': 'boolean', instance: 'string' },
  },
  'tool-spaces list': {
    usage: '[--instance DIR]',
    about: 'Installed Spaces and their tools, without network',
    words: { min: 0, max: 0 },
    flags: { instance: 'string' },
  },
  'tool-spaces show': {
    usage: 'SPACE [--instance DIR]',
    about: 'One installed Space',
    words: { min: 1, max: 1 },
    flags: { instance: 'string' },
  },
  'tool-spaces refresh': {
    usage: '[SPACE] [--instance DIR]',
    about: 'Look again what a Space, or each, offers; what changed stays off until it is accepted',
    words: { min: 0, max: 1 },
    flags: { instance: 'string' },
  },
  'tool-spaces remove': {
    usage: 'SPACE [--instance DIR]',
    about: 'Remove a Space and its lines in every profile',
    words: { min: 1, max: 1 },
    flags: { instance: 'string' },
  },
  'tool-spaces search': {
    usage: '[WORDS…] [--limit N] [--instance DIR]',
    about: 'Search the catalogue on Hugging Face',
    words: { min: 0, max: unlimited },
    flags: { limit: 'string', instance: 'string' },
  },
  'profiles list': { usage: '', about: 'Profiles and the active one', words: { min: 0, max: 0 }, flags: {} },
  'profiles show': { usage: 'NAME', about: 'Texts and tools of a profile', words: { min: 1, max: 1 }, flags: {} },
  'profiles check': { usage: 'NAME', about: 'Problems of its files, by line', words: { min: 1, max: 1 }, flags: {} },
  'profiles use': { usage: 'NAME', about: 'Make a profile the active one', words: { min: 1, max: 1 }, flags: {} },
  'profiles import': {
    usage: 'PATH [--as NAME] [--with-tool-files]',
    about: 'Take over profiles from a folder, a zip, a profile.md, or hf:OWNER/NAME',
    words: { min: 1, max: 1 },
    flags: { as: 'string', 'with-tool-files': 'boolean' },
  },
  'profiles export': {
    usage: 'NAME [--format folder|zip|profile-md] [--out PATH]',
    about: 'Write a profile out, for this app or the robot’s own',
    words: { min: 1, max: 1 },
    flags: { format: 'string', out: 'string' },
  },
  'profiles enable': {
    usage: 'NAME ID… [--allow-unknown]',
    about: 'Switch tools on',
    words: { min: 2, max: unlimited },
    flags: { 'allow-unknown': 'boolean' },
  },
  'profiles disable': { usage: 'NAME ID…', about: 'Switch tools off', words: { min: 2, max: unlimited }, flags: {} },
  'servers add': {
    usage: 'NAME URL [--profile NAME] [--install-only] [--token-env NAME] [--allow-insecure-http] [--accept-changes]',
    about: 'Add the tools of an MCP server; its token is read from the named variable',
    words: { min: 2, max: 2 },
    flags: {
      profile: 'string',
      'install-only': 'boolean',
      'token-env': 'string',
      'allow-insecure-http': 'boolean',
      'accept-changes': 'boolean',
    },
  },
  'servers list': {
    usage: '',
    about: 'MCP servers and their tools, without network',
    words: { min: 0, max: 0 },
    flags: {},
  },
  'servers remove': {
    usage: 'NAME',
    about: 'Remove a server and its lines in every profile',
    words: { min: 1, max: 1 },
    flags: {},
  },
  'tools list': {
    usage: '[--profile NAME]',
    about: 'All tools, and which of them the profile enables',
    words: { min: 0, max: 0 },
    flags: { profile: 'string' },
  },
  'tools call': {
    usage: 'ID [JSON] [--profile NAME]',
    about: 'Call a tool that the profile enables',
    words: { min: 1, max: 2 },
    flags: { profile: 'string' },
  },
  'tools allow': {
    usage: 'ID [--profile NAME] [--yes]',
    about: 'Allow the file of a tool of your own to run, exactly as it is now; asks first unless --yes is given',
    words: { min: 1, max: 1 },
    flags: { profile: 'string', yes: 'boolean' },
  },
  'tools forbid': {
    usage: 'ID [--profile NAME]',
    about: 'Allow it no more',
    words: { min: 1, max: 1 },
    flags: { profile: 'string' },
  },
  'robot list': { usage: '', about: 'Robots that can be used', words: { min: 0, max: 0 }, flags: {} },
  'robot status': { usage: '', about: 'Pose and motors', words: { min: 0, max: 0 }, flags: {} },
  'robot wake': { usage: '', about: 'Wake up', words: { min: 0, max: 0 }, flags: {} },
  'robot sleep': { usage: '', about: 'Go to sleep', words: { min: 0, max: 0 }, flags: {} },
  'robot play': { usage: 'MOVE', about: 'Play an emotion or a dance', words: { min: 1, max: 1 }, flags: {} },
  'robot export': {
    usage: 'MOVE FILE [--format recorded-move|lerobot]',
    about: 'Write a move as JSON: in the format of recorded moves, or as an episode',
    words: { min: 2, max: 2 },
    flags: { format: 'string' },
  },
  'robot stop': { usage: '', about: 'Emergency stop: torque off', words: { min: 0, max: 0 }, flags: {} },
  chat: {
    usage: 'TEXT [--profile NAME] [--provider offline|openai-compatible] [--base-url URL] [--model ID]',
    about: 'Say one sentence and print the answer',
    words: { min: 1, max: 1 },
    flags: { profile: 'string', provider: 'string', 'base-url': 'string', model: 'string' },
  },
} as const satisfies Record<string, CommandSpec>

export type CommandName = keyof typeof COMMANDS

/** Whether a command is there, or answers that it is not available yet. */
export function isMissing(name: CommandName): boolean {
  return 'missing' in COMMANDS[name]
}

const INSTANCE_HELP = [
  '--instance DIR works on the installed_tool_spaces.json of a robot app: in DIR, or in external_content/ or the Python',
  '  package below it. Profiles stay those of this app: add touches one only with --profile, remove leaves the lines of',
  '  tools that the list of this app still has.',
]

/** Text of `--help`, for one command or for all. */
export function helpText(command: CommandName | null): string {
  const line = (name: CommandName): string => `  ${`${name} ${COMMANDS[name].usage}`.trimEnd()}`
  if (command !== null) {
    const more = 'instance' in COMMANDS[command].flags ? `${INSTANCE_HELP.join('\n')}\n` : ''
    return `${line(command).trimStart()}\n    ${COMMANDS[command].about || 'Not available yet.'}\n${more}`
  }
  const names = Object.keys(COMMANDS) as CommandName[]
  const missing = names.filter(isMissing)
  return [
    'reachy-mini-companion COMMAND',
    '',
    ...names.filter((name) => !isMissing(name)).flatMap((name) => [line(name), `      ${COMMANDS[name].about}`]),
    '',
    ...(missing.length > 0 ? ['Not available yet:', ...missing.map(line), ''] : []),
    'Everywhere: --data-dir DIR  --json  --robot simulator|serial:PORT|daemon:URL  --help  --version',
    ...INSTANCE_HELP,
    'Exit status: 0 done, 1 failed, 2 wrong usage, 130 and 143 after a signal.',
    '',
  ].join('\n')
}
