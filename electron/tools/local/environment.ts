/** Variables that programs need to find themselves and their user. Keys and tokens, ours and others', are not among them. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  // Windows
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMDATA',
]

/**
 * The environment of a tool's process.
 * @param env of this app.
 * @param more what the host program of the tool needs.
 */
export function toolEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed = Object.entries(env).filter(([name, value]) => {
    const upper = name.toUpperCase()
    return value !== undefined && (PASSED.includes(upper) || upper.startsWith('LC_'))
  })
  return { ...(Object.fromEntries(passed) as Record<string, string>), ...more }
}
