const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bhf_[A-Za-z0-9]{6,}/g, 'hf_…'],
  [/\bsk-[A-Za-z0-9_-]{6,}/g, 'sk-…'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi, '$1 …'],
  [/([?&](?:[\w-]*(?:token|key|secret|signature|sign)[\w-]*)=)[^&\s"']+/gi, '$1…'],
  [/(\/\/)[^/\s:@]+:[^/\s@]+@/g, '$1…@'],
]
const SECRET_NAME = /token|secret|password|authorization|api.?key|cookie/i
const MAX_DEPTH = 6

/** Takes what looks like a token, key or credential out of a text. */
export function redactText(text: string): string {
  return SECRETS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}

/** A copy of a log field, fit for a file: errors with their causes, secrets gone by shape and by name. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value
  if (depth >= MAX_DEPTH) return '…'
  if (value instanceof Error) {
    const { cause } = value
    return {
      name: value.name,
      message: redactText(value.message),
      ...('code' in value ? { code: redact(value.code, depth + 1) } : {}),
      ...(value.stack === undefined ? {} : { stack: redactText(value.stack) }),
      ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
    }
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && typeof item === 'string' ? '…' : redact(item, depth + 1),
    ]),
  )
}
