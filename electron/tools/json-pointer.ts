import type { JsonObject, JsonValue } from '../contract/index.ts'

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A local JSON pointer (RFC 6901) in a `$ref`; anything else is `undefined`. */
export function pointer(base: JsonObject, ref: string): JsonValue | undefined {
  if (ref === '#') return base
  if (!ref.startsWith('#/')) return undefined
  let value: JsonValue | undefined = base
  for (const raw of ref.slice(2).split('/')) {
    const key = unescapePointer(raw)
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined
    else if (isObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined
    else return undefined
  }
  return value
}

function unescapePointer(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
