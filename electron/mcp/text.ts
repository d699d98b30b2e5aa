/** C0 without tab and line ends, DEL, C1. */

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Remote text without control characters (tab, CR and LF stay), cut to `max` UTF-16 units with an ellipsis. */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  const clean = text.replace(CONTROL, '')
  return clean.length > max ? `${clean.slice(0, Math.max(0, max - 1))}…` : clean
}

/**
 * Python's `str.strip()`, which upstream applies to names and slugs: white space including U+001C–U+001F and U+0085,
 * but, unlike `String.prototype.trim`, not U+FEFF.
 */
export function stripLikePython(text: string): string {
  return text.replace(LEADING, '').replace(TRAILING, '')
}

const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const LEADING = new RegExp(`^${SPACE}+`)
const TRAILING = new RegExp(`${SPACE}+$`)
