import { isAppUrl } from './assets.ts'

/** What a page of ours may ask the system for: writing a text to the clipboard, for the copy buttons. */
export function isPermissionAllowed(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(url)
}

/**
 * Whether a download may begin: only of bytes that a page of ours holds already, such as a tool's answer. The system asks
 * the person where to; nothing is fetched.
 */
export function isSavable(url: string): boolean {
  return url.startsWith('blob:') && isAppUrl(url.slice('blob:'.length))
}

/** Whether an address may be handed to the system's browser: https, or http to this machine (a Hub for trying out). */
export function isOpenable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  const local = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && local)
}
