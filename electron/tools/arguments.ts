import { CompanionError } from '../contract/index.ts'

import { isObject } from './json-pointer.ts'
import { sanitise } from './schema.ts'
import { cut, visible } from './text.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { ErrorObject } from 'ajv'

/** A compiled check; `null` when the arguments fit. */
type Check = (args: JsonObject) => { field: string; reason: string } | null

/** Checks by schema object: the registry keeps one object a tool. */
export type CheckCache = WeakMap<JsonObject, Promise<Check>>

/**
 * What a model or the screen gave as arguments. Nothing, `null` and an empty text mean no arguments; a text is read as
 * JSON, since some models write it so.
 * @throws CompanionError `tools/bad-arguments` when the outcome is no object.
 */
export function parseArguments(value: JsonValue | undefined): JsonObject {
  let parsed = value
  if (typeof parsed === 'string') {
    if (parsed.trim() === '') return {}
    try {
      parsed = JSON.parse(parsed) as JsonValue
    } catch (cause) {
      throw new CompanionError('tools/bad-arguments', { field: '', reason: 'must be valid JSON' }, { cause })
    }
  }
  if (parsed === undefined || parsed === null) return {}
  if (!isObject(parsed)) throw new CompanionError('tools/bad-arguments', { field: '', reason: 'must be a JSON object' })
  return parsed
}

/**
 * Repairs what models commonly get wrong and cannot mean otherwise: unknown names are dropped (a Gradio server refuses
 * the whole call for one), `null` for an optional parameter means "left out", `"3"` where a number is wanted is 3.
 * @param schema the sanitised copy, where references and choices are resolved.
 * @param original tells whether further names are allowed.
 */
export function repair(args: JsonObject, schema: JsonObject, original: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const known = isObject(original.properties) ? original.properties : {}
  const open = original.additionalProperties === true || isObject(original.additionalProperties)
  const required = Array.isArray(schema.required) ? schema.required : []
  const kept = Object.entries(args).flatMap(([name, value]): Array<[string, JsonValue]> => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!isObject(property)) return open || Object.hasOwn(known, name) ? [[name, value]] : []
    if (value === null && !required.includes(name) && property.type !== undefined) return []
    return [[name, coerce(value, property)]]
  })
  return Object.fromEntries(kept)
}

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/

function coerce(value: JsonValue, schema: JsonObject): JsonValue {
  if (typeof value === 'string' && (schema.type === 'number' || schema.type === 'integer')) {
    if (!NUMBER.test(value)) return value
    const number = Number(value)
    return schema.type === 'integer' && !Number.isInteger(number) ? value : number
  }
  const { items } = schema
  if (Array.isArray(value) && isObject(items)) return value.map((item) => coerce(item, items))
  if (isObject(value) && isObject(schema.properties)) {
    const properties = schema.properties
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined
        return [name, isObject(property) ? coerce(item, property) : item]
      }),
    )
  }
  return value
}

/**
 * Parses, repairs and validates (JSON Schema 2020-12) against the schema as the server sent it, so that a bad call is
 * answered here and not after a trip through the network.
 * @throws CompanionError `tools/bad-arguments` with `id`, `field` (empty: the arguments as a whole) and `reason`.
 */
export async function checkArguments(
  tool: { readonly id: string; readonly parameters: JsonObject },
  value: JsonValue | undefined,
  cache: CheckCache,
): Promise<JsonObject> {
  const named = ({ field, reason }: { field: string; reason: string }): CompanionError =>
    new CompanionError('tools/bad-arguments', {
      id: tool.id,
      field,
      reason: field === '' ? reason : `${field} ${reason}`,
    })
  let parsed: JsonObject
  try {
    parsed = parseArguments(value)
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error
    throw named({ field: String(error.details.field), reason: String(error.details.reason) })
  }
  const args = repair(parsed, sanitise(tool.parameters).schema, tool.parameters)
  let check = cache.get(tool.parameters)
  if (!check) {
    check = compile(tool.parameters)
    cache.set(tool.parameters, check)
  }
  const problem = (await check)(args)
  if (problem) throw named(problem)
  return args
}

/**
 * Keywords of a remote schema that are not evaluated here: identifiers would collide between tools or make ajv look for
 * other documents, `$async` would turn every answer into "valid", and a regular expression of a stranger can take
 * minutes. The server checks them itself.
 */
const NOT_EVALUATED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$async',
  'pattern',
  'patternProperties',
])

function evaluated(schema: JsonValue, insideProperties = false): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => evaluated(item))
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => insideProperties || !NOT_EVALUATED.has(key))
      .map(([key, value]) => {
        if (!insideProperties && ['enum', 'const', 'default', 'examples'].includes(key)) return [key, value]
        return [key, evaluated(value, !insideProperties && ['properties', '$defs', 'definitions'].includes(key))]
      }),
  )
}

/** Stands for `__proto__`, which ajv takes out of every schema. A name that nobody types. */
const PROTO = '\u{f8ff}_proto__'
/** Arguments nested deeper are checked as they are, so that they cannot exhaust the stack. */
const MAX_RENAMED_DEPTH = 500

/** A copy in which no key and no word is `__proto__`; the check sees schema and arguments alike. */
function renamed(value: JsonValue, depth = 0): JsonValue {
  if (value === '__proto__') return PROTO
  if (depth > MAX_RENAMED_DEPTH) return value
  if (Array.isArray(value)) return value.map((one) => renamed(one, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key === '__proto__' ? PROTO : key, renamed(one, depth + 1)]),
  )
}

const restored = ({ field, reason }: { field: string; reason: string }): { field: string; reason: string } => ({
  field: field.replaceAll(PROTO, '__proto__'),
  reason: reason.replaceAll(PROTO, '__proto__'),
})

async function compile(schema: JsonObject): Promise<Check> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  // Without `ownProperties` an argument named `constructor` counts as given.
  const options = {
    strict: false,
    validateFormats: false,
    logger: false,
    allErrors: false,
    ownProperties: true,
  } as const
  const build = (source: JsonValue): Check => {
    const validate = new Ajv2020(options).compile(renamed(source) as JsonObject)
    return (args) => (validate(renamed(args)) ? null : restored(explain(validate.errors?.[0])))
  }
  try {
    return build(evaluated(schema))
  } catch {
    // Not a valid schema (Gradio sends such). The model's copy always is, and is the next best thing to check against.
    return build(sanitise(schema).schema)
  }
}

function explain(error: ErrorObject | undefined): { field: string; reason: string } {
  if (!error) return { field: '', reason: 'is not valid' }
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const params = error.params as { missingProperty?: string; allowedValues?: JsonValue[]; additionalProperty?: string }
  if (params.missingProperty !== undefined) {
    return { field: [...path, params.missingProperty].join('.'), reason: 'is required' }
  }
  const reason = params.allowedValues
    ? `must be one of ${params.allowedValues
        .slice(0, 30)
        .map((value) => JSON.stringify(value))
        .join(', ')}`
    : (error.message ?? 'is not valid')
  return { field: path.join('.'), reason: visible(cut(reason, 400)) }
}
