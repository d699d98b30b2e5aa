import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'

/** Deeper schemas are refused; providers refuse them much earlier, and a hostile one must not exhaust the stack. */
const MAX_DEPTH = 100

export type SchemaVerdict =
  /** `cannotBeSet`: optional parameters for which no value is valid; the model is not shown them. */
  | { readonly usable: true; readonly cannotBeSet: readonly string[] }
  | { readonly usable: false; readonly problem: Problem }

export interface JudgeOptions {
  /**
   * The server is Gradio, which checks the whole schema with Python's `jsonschema` at every call: a `type` that is no
   * string makes every call fail, even when the parameter is left out (gradio-app/gradio, `gr.JSON` as an input).
   */
  readonly gradio: boolean
}

const unusable = (reason: string, parameter?: string): SchemaVerdict => ({
  usable: false,
  problem: { code: 'tools/schema-unusable', details: parameter === undefined ? { reason } : { reason, parameter } },
})

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a tool with this input schema can be offered to a model and called. Every consumer asks here, so that the
 * installer, the registry and the sanitiser never disagree.
 *
 * Rejected (`tools/bad-schema`): no schema, or a root that is not a plain object schema; `{}` and a root with
 * `properties` but no `type` count as object schemas. Model APIs require that ("schema must have type 'object' and not
 * have 'oneOf'/'anyOf' … at the top level", OpenAI function calling).
 * Rejected (`tools/schema-unusable`): a schema the server itself refuses, or a required parameter without a valid value.
 */
export function judgeSchema(schema: unknown, options: JudgeOptions): SchemaVerdict {
  const rootReason = judgeRoot(schema)
  if (rootReason !== null)
    return { usable: false, problem: { code: 'tools/bad-schema', details: { reason: rootReason } } }
  const root = schema as JsonObject
  const properties = isObject(root.properties) ? root.properties : {}
  const required = new Set(Array.isArray(root.required) ? root.required : [])

  const walk = walkSchema(root)
  if (walk.tooDeep) return unusable('too deep')
  if (options.gradio && walk.badType)
    return unusable('a type that is not a type name', parameterWithBadType(properties))

  const cannotBeSet: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const reason = whyNeverValid(property, root, options)
    if (reason === null) continue
    if (required.has(name)) return unusable(reason, name)
    cannotBeSet.push(name)
  }
  return { usable: true, cannotBeSet }
}

function judgeRoot(schema: unknown): string | null {
  if (schema === undefined || schema === null) return 'missing'
  if (!isObject(schema)) return 'not an object'
  if ('type' in schema && schema.type !== 'object')
    return isObject(schema.type) || schema.type === null
      ? 'root type is not a name'
      : `root type is ${labelOf(schema.type)}`
  if ('anyOf' in schema || 'oneOf' in schema) return 'root is a choice'
  if ('properties' in schema && !isObject(schema.properties)) return 'properties is not an object'
  return null
}

const labelOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value.slice(0, 40) : 'not a name'

const parameterWithBadType = (properties: JsonObject): string | undefined =>
  Object.entries(properties).find(([, property]) => walkSchema(property).badType)?.[0]

const isTypeName = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/** Keywords whose value is a schema, a list of schemas, or a map of schemas (JSON Schema 2020-12 and draft 7). */
const ONE = [
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
const LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'] as const
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const

function subschemas(schema: JsonObject): JsonValue[] {
  const found: JsonValue[] = []
  for (const key of ONE) if (isObject(schema[key])) found.push(schema[key])
  for (const key of LIST) {
    const value = schema[key]
    if (Array.isArray(value)) found.push(...value)
  }
  for (const key of MAP) {
    const value = schema[key]
    if (isObject(value)) found.push(...Object.values(value))
  }
  return found
}

function walkSchema(root: JsonValue): { badType: boolean; tooDeep: boolean } {
  const verdict = { badType: false, tooDeep: false }
  const queue: { schema: JsonValue; depth: number }[] = [{ schema: root, depth: 0 }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { schema, depth } = next
    if (!isObject(schema)) continue
    if (depth > MAX_DEPTH) {
      verdict.tooDeep = true
      continue
    }
    if ('type' in schema && !isTypeName(schema.type)) verdict.badType = true
    for (const sub of subschemas(schema)) queue.push({ schema: sub, depth: depth + 1 })
  }
  return verdict
}

/** Why no value would be accepted for a property, or `null`. Looks into array items, where a list of nothing is no help. */
function whyNeverValid(property: JsonValue, root: JsonObject, options: JudgeOptions): string | null {
  if (!isObject(property)) return null
  if (Array.isArray(property.enum) && !property.enum.some((value) => matchesType(value, property.type))) {
    return 'no choice is valid'
  }
  if (options.gradio && hasDanglingRef(property, root)) return 'a reference that leads nowhere'
  return isObject(property.items) ? whyNeverValid(property.items, root, options) : null
}

/** Gradio nests `$defs` in the property while `#/$defs/…` means the root's: its server fails with `PointerToNowhere`. */
function hasDanglingRef(property: JsonObject, root: JsonObject): boolean {
  const queue: JsonValue[] = [property]
  const defs = isObject(root.$defs) ? root.$defs : {}
  for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
    if (!isObject(schema)) continue
    if (typeof schema.$ref === 'string') {
      const name = /^#\/\$defs\/([^/]+)/.exec(schema.$ref)?.[1]
      if (name !== undefined && !Object.hasOwn(defs, name)) return true
    }
    queue.push(...subschemas(schema))
  }
  return false
}

function matchesType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (Array.isArray(type)) return type.some((one) => matchesType(value, one))
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return true
  }
}
