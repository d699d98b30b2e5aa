import { readFile } from 'node:fs/promises'

/** How an account gets the right to use the robot's port on this system. */
export interface PermissionHelp {
  /** As the system calls itself. */
  readonly distribution: string
  /** Group that owns serial ports here. */
  readonly group: string
  /** One shell line that installs the rule and makes it work at once. */
  readonly command: string
}

/** Families whose serial ports belong to `uucp` (https://wiki.archlinux.org/title/Users_and_groups). */
const UUCP_FAMILIES = ['arch', 'manjaro', 'gentoo', 'slackware']
const RULES_FOLDER = '/etc/udev/rules.d/'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Pure.
 * @param osRelease text of `/etc/os-release`, empty when there is none.
 * @param rule path of the rule that comes with the app.
 */
export function permissionHelp(osRelease: string, rule: string): PermissionHelp {
  const entry = (key: string): string => {
    const value = new RegExp(`^${key}=(.*)$`, 'm').exec(osRelease)?.[1] ?? ''
    return value.trim().replace(/^(["'])(.*)\1$/, '$2')
  }
  const family = [entry('ID'), ...entry('ID_LIKE').split(/\s+/)]
  const group = family.some((id) => UUCP_FAMILIES.includes(id)) ? 'uucp' : 'dialout'
  // The rule names the group of most systems; where it is another one it is written into the copy.
  const install =
    group === 'dialout'
      ? `sudo cp ${quoted(rule)} ${RULES_FOLDER}`
      : `sed 's/dialout/${group}/' ${quoted(rule)} | sudo tee ${RULES_FOLDER}70-reachy-mini.rules >/dev/null`
  const reload = 'sudo udevadm control --reload-rules && sudo udevadm trigger'
  return { distribution: entry('PRETTY_NAME') || 'Linux', group, command: `${install} && ${reload}` }
}

/** The same for this computer; `null` where no such right is needed. */
export async function permissionHelpHere(rule: string): Promise<PermissionHelp | null> {
  if (process.platform !== 'linux') return null
  let osRelease = ''
  try {
    osRelease = await readFile('/etc/os-release', 'utf8')
  } catch (error) {
    // Some small systems have none; the common way is shown then.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return permissionHelp(osRelease, rule)
}
