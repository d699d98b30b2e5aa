/** `CON`, `nul`, `com1` … open devices on Windows, whatever the folder ("Naming Files, Paths, and Namespaces", Microsoft). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i
const PROFILE_NAME = /^[A-Za-z0-9_-]{1,64}$/
/** How the robot's own app selects a profile made by a person. */
const USER_PREFIX = 'user_personalities/'

/** Whether a folder of this name can be a profile on every system. */
export function isProfileName(name: string): boolean {
  return PROFILE_NAME.test(name) && !DEVICE_NAME.test(name)
}

/** Names that differ in case only are one folder on macOS and Windows. */
export function nameKey(name: string): string {
  return name.toLowerCase()
}

/** A selection (`NAME` or `user_personalities/NAME`) as a name; blank ones are none. The name may still be a bad one. */
export function selectedName(selection: string | null | undefined): string | null {
  const text = selection?.trim() ?? ''
  if (text === '') return null
  return withoutPrefix(text)
}

/** `NAME` of `user_personalities/NAME`. */
export function withoutPrefix(selection: string): string {
  return selection.startsWith(USER_PREFIX) ? selection.slice(USER_PREFIX.length) : selection
}
