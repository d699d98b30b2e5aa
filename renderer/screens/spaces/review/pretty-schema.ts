import type { JsonObject, JsonValue } from '../../../../electron/contract/index.ts'

/** Columns up to which an object or a list stands on one line. */
const WIDTH = 72

/** JSON as people read it: what fits stands on one line, everything else line by line, two spaces deep. */
export function prettyLines(value: JsonValue, width = WIDTH): string[] {
  return layOut(value, '', '', width)
}

function layOut(value: JsonValue, lead: string, indent: string, width: number): string[] {
  const flat = `${indent}${lead}${flatJson(value)}`
  if (value === null || typeof value !== 'object' || flat.length <= width) return [flat]
  const list = Array.isArray(value)
  const parts = list
    ? value.map((item) => layOut(item, '', `${indent}  `, width))
    : Object.entries(value).map(([key, item]) => layOut(item, `${JSON.stringify(key)}: `, `${indent}  `, width))
  const inner = parts.flatMap((lines, i) =>
    i === parts.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`],
  )
  return [`${indent}${lead}${list ? '[' : '{'}`, ...inner, `${indent}${list ? ']' : '}'}`]
}

function flatJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

/** The same value with the keys in the order of `like`, so that a mere change of order is no difference. */
export function inOrderOf(value: JsonValue, like: JsonValue | undefined): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const other = Array.isArray(like) ? like : []
    return value.map((item, i) => inOrderOf(item, other[i]))
  }
  const other = like !== null && typeof like === 'object' && !Array.isArray(like) ? like : {}
  const known = Object.keys(other).filter((key) => Object.hasOwn(value, key))
  const fresh = Object.keys(value).filter((key) => !Object.hasOwn(other, key))
  return Object.fromEntries(
    [...known, ...fresh].map((key) => [
      key,
      inOrderOf(value[key] ?? null, Object.hasOwn(other, key) ? other[key] : undefined),
    ]),
  )
}

function properties(schema: JsonObject): Readonly<Record<string, JsonValue>> {
  const held = schema['properties']
  return held !== null && typeof held === 'object' && !Array.isArray(held) ? held : {}
}

/** How many parameters came, went, or are described otherwise; `rest`: something beside the parameters differs. */
export function parameterChanges(
  before: JsonObject,
  after: JsonObject,
): { added: number; removed: number; changed: number; rest: boolean } {
  const [old, young] = [properties(before), properties(after)]
  const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
    JSON.stringify(a) === JSON.stringify(b === undefined ? undefined : inOrderOf(b, a))
  const has = (held: Readonly<Record<string, JsonValue>>, name: string): boolean => Object.hasOwn(held, name)
  const added = Object.keys(young).filter((name) => !has(old, name)).length
  const removed = Object.keys(old).filter((name) => !has(young, name)).length
  const changed = Object.keys(young).filter((name) => has(old, name) && !same(old[name], young[name])).length
  const whole = same(before, after)
  return { added, removed, changed, rest: !whole && added + removed + changed === 0 }
}
