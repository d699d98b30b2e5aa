import type { JsonObject, JsonValue } from '../../../../electron/contract/index.ts'

/** How one value is asked for. */
export type Control =
  | { readonly kind: 'text'; readonly format: string | undefined; readonly long: boolean; readonly maxLength?: number }
  | { readonly kind: 'choice'; readonly options: readonly JsonValue[] }
  | { readonly kind: 'number'; readonly whole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'switch' }
  /** Simple values, one a line. */
  | { readonly kind: 'list'; readonly of: 'text' | 'number' | 'whole'; readonly options?: readonly JsonValue[] }
  | { readonly kind: 'json'; readonly shape: 'object' | 'array' | 'any' }

export interface FormField {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly control: Control
  /** What the field holds at first; `undefined`: nothing, and nothing is sent. */
  readonly initial: FieldValue
}

/** Text as typed, JSON of the chosen option, on or off. */
export type FieldValue = string | boolean | undefined

/** A value that cannot be sent, for the words that say why. */
export type FieldProblem =
  | { readonly reason: 'needed' | 'number' | 'whole' | 'json' | 'object' | 'array' }
  | { readonly reason: 'atLeast' | 'atMost' | 'tooLong'; readonly limit: number }

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSimple = (value: JsonValue): boolean => value === null || typeof value !== 'object'

/** References that are followed one after another. */
const MAX_STEPS = 20
/** A default longer than a line, or with lines, gets a field of several. */
const LONG_TEXT = 80

/**
 * The fields of a tool's input schema, in its order. Lenient: whatever is not one of the simple cases is asked for as JSON,
 * and the server has the last word. References to other places of the same schema are followed, others are not.
 */
export function fieldsOf(schema: JsonObject): FormField[] {
  const whole = resolved(schema, schema)
  const properties = isObject(whole['properties']) ? whole['properties'] : {}
  const required = Array.isArray(whole['required']) ? whole['required'] : []
  return Object.entries(properties).map(([name, raw]) => {
    const property = resolved(isObject(raw) ? raw : {}, schema)
    const control = controlOf(property, schema)
    const description = property['description'] ?? property['title']
    return {
      name,
      description: typeof description === 'string' ? description : '',
      required: required.includes(name),
      control,
      initial: initialOf(property, control),
    }
  })
}

/** The schema with its reference followed, its `allOf` joined and `null` taken out of its alternatives. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  let now = schema
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { $ref: reference, allOf, ...rest } = now
    if (typeof reference === 'string') {
      now = { ...pointed(reference, root), ...rest }
    } else if (Array.isArray(allOf)) {
      now = allOf.filter(isObject).reduceRight<JsonObject>((joined, one) => ({ ...one, ...joined }), rest)
    } else {
      const alternatives = alternativesOf(now)
      if (alternatives?.length !== 1) return now
      const { anyOf: _any, oneOf: _one, ...outer } = now
      now = { ...alternatives[0], ...outer }
    }
  }
  return {}
}

function pointed(reference: string, root: JsonObject): JsonObject {
  if (!reference.startsWith('#/')) return {}
  let at: JsonValue | undefined = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isObject(at) ? at : {}
}

function alternativesOf(schema: JsonObject): JsonObject[] | undefined {
  const list = Array.isArray(schema['anyOf']) ? schema['anyOf'] : schema['oneOf']
  if (!Array.isArray(list)) return undefined
  return list.filter(isObject).filter(({ type, const: only }) => type !== 'null' && only !== null)
}

function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema
  const types = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === 'string' && one !== 'null',
  )
  if (types.length === 1) return types[0]
  if (types.length === 0 && isObject(schema['properties'])) return 'object'
  return undefined
}

/** The values that a schema allows, when it names them. */
function optionsOf(schema: JsonObject, root: JsonObject): JsonValue[] | undefined {
  if ('const' in schema) return [schema['const'] ?? null]
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return [...schema['enum']]
  const alternatives = alternativesOf(schema)
  if (alternatives === undefined || alternatives.length === 0) return undefined
  const each = alternatives.map((one) => {
    const inner = resolved(one, root)
    return 'const' in inner ? [inner['const'] ?? null] : Array.isArray(inner['enum']) ? inner['enum'] : undefined
  })
  return each.every((one) => one !== undefined) ? each.flat() : undefined
}

function controlOf(schema: JsonObject, root: JsonObject): Control {
  const options = optionsOf(schema, root)
  if (options?.every(isSimple) === true) return { kind: 'choice', options: unique(options) }
  const type = typeOf(schema)
  switch (type) {
    case 'string': {
      const { format, maxLength, default: initial } = schema
      const text = typeof initial === 'string' ? initial : ''
      return {
        kind: 'text',
        format: typeof format === 'string' ? format : undefined,
        long: text.includes('\n') || text.length > LONG_TEXT,
        ...(typeof maxLength === 'number' ? { maxLength } : {}),
      }
    }
    case 'number':
    case 'integer':
      return { kind: 'number', whole: type === 'integer', ...limitsOf(schema, type === 'integer') }
    case 'boolean':
      return { kind: 'switch' }
    case 'array':
      return listOf(schema, root)
    default:
      return { kind: 'json', shape: type === 'object' ? 'object' : 'any' }
  }
}

/** Exclusive limits of whole numbers become the next whole number; of others they count as they stand. */
function limitsOf(schema: JsonObject, whole: boolean): { min?: number; max?: number } {
  const number = (key: string): number | undefined => {
    const value = schema[key]
    return typeof value === 'number' ? value : undefined
  }
  const above = number('exclusiveMinimum')
  const below = number('exclusiveMaximum')
  const min = number('minimum') ?? (above === undefined ? undefined : whole ? Math.floor(above) + 1 : above)
  const max = number('maximum') ?? (below === undefined ? undefined : whole ? Math.ceil(below) - 1 : below)
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

function listOf(schema: JsonObject, root: JsonObject): Control {
  const items = isObject(schema['items']) ? resolved(schema['items'], root) : undefined
  if (items === undefined) return { kind: 'json', shape: 'array' }
  const options = optionsOf(items, root)
  if (options?.every((one) => typeof one === 'string') === true) return { kind: 'list', of: 'text', options }
  const type = typeOf(items)
  if (options !== undefined) return { kind: 'json', shape: 'array' }
  if (type === 'string') return { kind: 'list', of: 'text' }
  if (type === 'number') return { kind: 'list', of: 'number' }
  return type === 'integer' ? { kind: 'list', of: 'whole' } : { kind: 'json', shape: 'array' }
}

const unique = (values: readonly JsonValue[]): JsonValue[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

function initialOf(schema: JsonObject, control: Control): FieldValue {
  const { default: value } = schema
  if (value === undefined)
    return control.kind === 'choice' && control.options.length === 1 ? key(control, 0) : undefined
  switch (control.kind) {
    case 'text':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
    case 'number':
      return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
    case 'switch':
      return typeof value === 'boolean' ? value : undefined
    case 'choice': {
      const text = JSON.stringify(value)
      return control.options.some((option) => JSON.stringify(option) === text) ? text : undefined
    }
    case 'list':
      return Array.isArray(value) && value.every(isSimple) ? value.map(String).join('\n') : undefined
    case 'json':
      return value === null ? undefined : JSON.stringify(value, null, 2)
  }
}

const key = (control: Extract<Control, { kind: 'choice' }>, index: number): string =>
  JSON.stringify(control.options[index] ?? null)

export type FormReading =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problems: Readonly<Record<string, FieldProblem>> }

/** What would be sent. An optional field that is empty is left out; text is sent as typed. */
export function argumentsOf(fields: readonly FormField[], values: Readonly<Record<string, FieldValue>>): FormReading {
  const problems: [string, FieldProblem][] = []
  const sent: [string, JsonValue][] = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : field.initial
    const read = readField(field, value)
    if (read === null) continue
    if ('problem' in read) problems.push([field.name, read.problem])
    else sent.push([field.name, read.value])
  }
  return problems.length > 0
    ? { ok: false, problems: Object.fromEntries(problems) }
    : { ok: true, arguments: Object.fromEntries(sent) }
}

type Read = { readonly value: JsonValue } | { readonly problem: FieldProblem } | null

function readField({ control, required, initial }: FormField, value: FieldValue): Read {
  if (control.kind === 'switch') {
    if (typeof value === 'boolean') return { value }
    return required ? { value: false } : null
  }
  const text = typeof value === 'string' ? value : ''
  // An empty text is a value where the schema itself says so.
  const emptyCounts = control.kind === 'text' && initial === ''
  if (text.trim() === '' && !(emptyCounts && text === '')) {
    if (control.kind === 'list' && required) return { value: [] }
    return required ? { problem: { reason: 'needed' } } : null
  }
  switch (control.kind) {
    case 'text':
      return control.maxLength !== undefined && [...text].length > control.maxLength
        ? { problem: { reason: 'tooLong', limit: control.maxLength } }
        : { value: text }
    case 'choice':
      return readJson(text, 'any')
    case 'number':
      return readNumber(text, control)
    case 'list':
      return readList(text, control.of)
    case 'json':
      return readJson(text, control.shape)
  }
}

function readNumber(text: string, { whole, min, max }: Omit<Extract<Control, { kind: 'number' }>, 'kind'>): Read {
  const trimmed = text.trim().replace(/^\u2212/, '-')
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN
  if (!Number.isFinite(value)) return { problem: { reason: whole ? 'whole' : 'number' } }
  if (whole && !Number.isSafeInteger(value)) return { problem: { reason: 'whole' } }
  if (min !== undefined && value < min) return { problem: { reason: 'atLeast', limit: min } }
  if (max !== undefined && value > max) return { problem: { reason: 'atMost', limit: max } }
  return { value }
}

function readList(text: string, of: 'text' | 'number' | 'whole'): Read {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (of === 'text') return { value: lines }
  const values: JsonValue[] = []
  for (const line of lines) {
    const read = readNumber(line, { whole: of === 'whole' })
    if (read === null || 'problem' in read) return read
    values.push(read.value)
  }
  return { value: values }
}

function readJson(text: string, shape: 'object' | 'array' | 'any'): Read {
  try {
    const value = JSON.parse(text) as JsonValue
    if (shape === 'object' && !isObject(value)) return { problem: { reason: 'object' } }
    if (shape === 'array' && !Array.isArray(value)) return { problem: { reason: 'array' } }
    return { value }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: { reason: 'json' } }
    throw error
  }
}

/** An option as it is shown. */
export const optionLabel = (option: JsonValue): string => (typeof option === 'string' ? option : JSON.stringify(option))
