import { CompanionError } from '../contract/index.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/**
 * The base address of a model, without a trailing slash. Keys and conversations travel there: plain http is for this
 * computer only.
 * @throws CompanionError `provider/none` for an empty one, `provider/bad-address`.
 */
export function baseAddress(text: string): string {
  const given = text.trim()
  if (given === '') throw new CompanionError('provider/none')
  let url: URL
  try {
    url = new URL(given)
  } catch (cause) {
    throw new CompanionError('provider/bad-address', {}, { cause })
  }
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
  // A name and password in the address would end up in logs and error messages.
  if (!allowed || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new CompanionError('provider/bad-address', { host: url.host })
  }
  return url.href.replace(/\/+$/, '')
}
