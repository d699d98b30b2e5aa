import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import type { JsonValue } from '../contract/index.ts'

/** By code point, as Python sorts; UTF-8 keeps that order. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const escape = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * JSON as Python's `json.dumps(value, indent=2, sort_keys=True)` prints it, without a final newline: keys sorted by code
 * point at every level, everything outside of printable ASCII escaped. `JSON.stringify` cannot: it moves keys that look
 * like numbers to the front.
 */
export function pythonJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((one) => inner + pythonJson(one, inner)).join(',\n')}\n${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort(byCodePoint)
    if (keys.length === 0) return '{}'
    const lines = keys.map((key) => `${inner}${escape(key)}: ${pythonJson(value[key] ?? null, inner)}`)
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  return typeof value === 'string' ? escape(value) : JSON.stringify(value)
}

/** SHA-256 (hex) of the value's canonical form. */
export function hashOf(value: JsonValue): string {
  return createHash('sha256').update(pythonJson(value)).digest('hex')
}
