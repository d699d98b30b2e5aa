import { judgeSchema } from '../mcp/index.ts'

import { isObject, pointer } from './json-pointer.ts'
import { cut, MAX_DESCRIPTION, visible } from './text.ts'

import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'

/** Families of models whose tool schemas differ. */
export type SchemaTarget = 'openai' | 'llama' | 'gemini'

export interface SanitiseOptions {
  readonly target?: SchemaTarget
  /** The tool is served by a Gradio app: what its server always refuses is taken out (see {@link sanitise}). */
  readonly gradio?: boolean
}

export interface Sanitised {
  /** The model's copy; the original is what arguments are validated against. */
  readonly schema: JsonObject
  /** Plain words about what was changed beyond dropping keywords. */
  readonly notes: readonly string[]
  /** Set when no call of the tool can succeed, or no model accepts it. */
  readonly rejected?: Problem
}

/** Deepest nesting of a schema that a model gets; deeper values become plain objects. */
const MAX_DEPTH = 12
/** Bytes of one tool's schema. */
export const MAX_SCHEMA_BYTES = 16_384
/** References can fan out exponentially; past this many nodes the rest becomes plain objects. */
const MAX_NODES = 4_000

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const FILE_HINT = '(http(s) URL)'

type Walked = { kind: 'schema'; schema: JsonObject } | { kind: 'dropped' } | { kind: 'unsettable' }

interface Walk {
  readonly root: JsonObject
  readonly target: SchemaTarget
  readonly gradio: boolean
  readonly notes: string[]
  nodes: number
  /** References that a Gradio server cannot follow itself. */
  dangling: number
  invalidType: boolean
  /** Parameters for which the server accepts no value. */
  readonly cannotBeSet: ReadonlySet<string>
}

interface Place {
  readonly depth: number
  /** Enclosing schemas, outermost first, for references that mean a nested `$defs`. */
  readonly enclosing: readonly JsonObject[]
  /** References being followed. */
  readonly following: readonly string[]
  /** A value of its own (an item, a branch) must stay something; a whole property may go. */
  readonly wholeProperty: boolean
}

const anyObject = (): JsonObject => ({ type: 'object', properties: {} })

/**
 * Makes the copy of a tool's schema that language models accept. Models differ in what they refuse: OpenAI `oneOf` at
 * the root and arrays without `items`, llama.cpp unknown formats and long patterns in its grammars, Gemini everything
 * outside its OpenAPI subset; the rules here are what all of them take. Pure, never fetches a reference, never throws,
 * idempotent: the copy of the copy is the copy.
 *
 * Gradio's own server validates with a schema that can be impossible (numbers in the `enum` of a string, `"type": {}`,
 * `$ref` into `$defs` of a nested place): such parameters are left out, or the tool is rejected when they are required.
 */
export function sanitise(input: JsonValue | undefined, options: SanitiseOptions = {}): Sanitised {
  const reject = (problem: Problem, notes: readonly string[] = []): Sanitised => ({
    schema: anyObject(),
    notes,
    rejected: problem,
  })
  const root = isObject(input) ? followRoot(input) : null
  if (!isObject(input) || root === null)
    return reject({ code: 'tools/bad-schema', details: { reason: 'not an object' } })
  // The installer asks the same function, so that what it calls usable is offered.
  const verdict = judgeSchema(root, { gradio: options.gradio ?? false })
  if (!verdict.usable) return reject(verdict.problem)
  const walk: Walk = {
    root: input,
    target: options.target ?? 'openai',
    gradio: options.gradio ?? false,
    notes: [],
    nodes: 0,
    dangling: 0,
    invalidType: false,
    cannotBeSet: new Set(verdict.cannotBeSet),
  }
  const walked = walkNode(
    walk,
    { ...root, type: 'object' },
    {
      depth: 0,
      enclosing: root === input ? [] : [input],
      following: [],
      wholeProperty: false,
    },
  )
  const unusable = (reason: string): Problem => ({ code: 'tools/schema-unusable', details: { reason } })
  if (walk.invalidType && walk.gradio) return reject(unusable('a type that is not a type name'), walk.notes)
  if (walked.kind !== 'schema') return reject(unusable('no value is valid'), walk.notes)
  const bytes = Buffer.byteLength(JSON.stringify(walked.schema))
  if (bytes > MAX_SCHEMA_BYTES)
    return reject({ code: 'tools/too-large', details: { bytes, max: MAX_SCHEMA_BYTES } }, walk.notes)
  return { schema: walked.schema, notes: walk.notes }
}

/** Generators such as zod-to-json-schema put the whole schema behind one reference. */
function followRoot(root: JsonObject): JsonObject | null {
  let current = root
  const seen = new Set<string>()
  while (typeof current.$ref === 'string') {
    if (seen.has(current.$ref)) return null
    seen.add(current.$ref)
    const target = pointer(root, current.$ref)
    if (!isObject(target)) return null
    const { $ref: _, ...beside } = current
    current = { ...target, ...beside }
  }
  return current
}

type Resolution = { target: JsonObject; ref: string } | 'cycle' | 'missing' | 'dangling'

function resolve(walk: Walk, ref: string, place: Place): Resolution {
  if (place.following.includes(ref)) return 'cycle'
  const atRoot = pointer(walk.root, ref)
  if (isObject(atRoot)) return { target: atRoot, ref }
  if (walk.gradio && ref.startsWith('#/$defs/')) return 'dangling'
  for (const schema of [...place.enclosing].reverse()) {
    if (!isObject(schema.$defs) && !isObject(schema.definitions)) continue
    const found = pointer(schema, ref)
    if (isObject(found)) return { target: found, ref }
  }
  return 'missing'
}

function walkNode(walk: Walk, node: JsonObject, place: Place): Walked {
  walk.nodes += 1
  if (place.depth >= MAX_DEPTH || walk.nodes > MAX_NODES) {
    note(walk, 'nested too deeply: the rest is a plain object')
    return { kind: 'schema', schema: anyObject() }
  }
  if (typeof node.$ref === 'string') return walkReference(walk, node, node.$ref, place)
  const merged = mergeAllOf(node)
  // A merged branch can be a reference again.
  if (typeof merged.$ref === 'string') return walkReference(walk, merged, merged.$ref, place)
  return rebuild(walk, merged, { ...place, enclosing: [...place.enclosing, node] })
}

function walkReference(walk: Walk, node: JsonObject, ref: string, place: Place): Walked {
  const resolution = resolve(walk, ref, place)
  if (resolution === 'dangling') {
    walk.dangling += 1
    note(walk, `a reference of the server to ${ref} leads nowhere`)
    return { kind: 'unsettable' }
  }
  if (resolution === 'cycle' || resolution === 'missing') {
    note(walk, `reference ${visible(cut(ref, 100))} was not followed`)
    return place.wholeProperty ? { kind: 'dropped' } : { kind: 'schema', schema: anyObject() }
  }
  const { $ref: _, ...beside } = node
  return walkNode(
    walk,
    { ...resolution.target, ...beside },
    { ...place, following: [...place.following, resolution.ref] },
  )
}

/** `allOf` is outside what Gemini and llama.cpp read: its branches become one schema, the keywords beside them win. */
function mergeAllOf(node: JsonObject): JsonObject {
  if (!Array.isArray(node.allOf)) return node
  const { allOf, ...own } = node
  let merged: JsonObject = {}
  for (const branch of [...allOf.filter(isObject), own]) {
    const properties = {
      ...(isObject(merged.properties) ? merged.properties : {}),
      ...(isObject(branch.properties) ? branch.properties : {}),
    }
    const required = [...strings(merged.required), ...strings(branch.required)]
    merged = {
      ...merged,
      ...branch,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }
  return Array.isArray(merged.allOf) ? mergeAllOf(merged) : merged
}

const strings = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** Writes one schema anew from the keywords that every model reads. */
function rebuild(walk: Walk, node: JsonObject, place: Place): Walked {
  const { type, alternatives } = typesOf(walk, node)
  const listed = [node.anyOf, node.oneOf].find(Array.isArray)
  const choices = (listed ?? alternatives.map((name) => alternative(node, name)))
    .filter(isObject)
    .filter((branch) => branch.type !== 'null')
  if (choices.length === 1) return walkNode(walk, inlined(node, choices[0]!), place)
  const branches = branchesOf(walk, choices, place)
  if (branches === 'unsettable') return { kind: 'unsettable' }
  // A parameter that can only be null has nothing to set.
  if (type === 'null') return place.wholeProperty ? { kind: 'dropped' } : { kind: 'schema', schema: {} }
  const description = descriptionOf(node)
  if (branches.length === 1)
    return { kind: 'schema', schema: { ...branches[0]!, ...(description ? { description } : {}) } }
  const values = enumOf(node, type)
  if (values === 'none-left') return { kind: 'unsettable' }
  const container = containerOf(walk, node, type, place)
  if (container === 'unsettable') return { kind: 'unsettable' }
  const out: JsonObject = {
    ...(type ? { type } : {}),
    ...(description ? { description } : {}),
    ...(values ? { enum: values } : {}),
    ...(branches.length > 1 ? { anyOf: branches } : {}),
    ...container,
    ...numbersOf(walk, node, type),
    ...(node.format === 'date-time' && type === 'string' ? { format: 'date-time' } : {}),
  }
  if (node.default !== undefined && isDefault(node.default, type, values)) out.default = node.default
  return { kind: 'schema', schema: out }
}

/** A schema whose only real choice is `branch`; what stands beside the choice wins, except an empty description. */
function inlined(node: JsonObject, branch: JsonObject): JsonObject {
  const { anyOf: _, oneOf: __, type, description, ...beside } = node
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...branch,
    ...beside,
    ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
  }
}

/** One type, or the several that a type array names beside "null". */
function typesOf(walk: Walk, node: JsonObject): { type: string | undefined; alternatives: string[] } {
  const none = { type: undefined, alternatives: [] }
  if (node.type === undefined) {
    if (isObject(node.properties)) return { type: 'object', alternatives: [] }
    return none
  }
  if (typeof node.type === 'string') {
    if (TYPES.has(node.type)) return { type: node.type, alternatives: [] }
    walk.invalidType = true
    return none
  }
  const named = Array.isArray(node.type) ? node.type.filter((item) => typeof item === 'string' && TYPES.has(item)) : []
  if (!Array.isArray(node.type) || named.length !== node.type.length || named.length === 0) {
    walk.invalidType = true
    note(walk, 'a type that is none was dropped')
    return none
  }
  const real = [...new Set(named as string[])].filter((item) => item !== 'null')
  if (real.length <= 1) return { type: real[0] ?? 'null', alternatives: [] }
  return { type: undefined, alternatives: real }
}

function branchesOf(walk: Walk, choices: readonly JsonObject[], place: Place): JsonObject[] | 'unsettable' {
  const branches: JsonObject[] = []
  let unsettable = false
  for (const choice of choices) {
    const walked = walkNode(walk, choice, { ...place, depth: place.depth + 1, wholeProperty: false })
    if (walked.kind === 'unsettable') unsettable = true
    // A branch that names nothing (`{}`) accepts everything and says nothing to a model.
    if (walked.kind !== 'schema' || Object.keys(walked.schema).length === 0) continue
    if (!branches.some((known) => JSON.stringify(known) === JSON.stringify(walked.schema))) branches.push(walked.schema)
  }
  return branches.length === 0 && unsettable ? 'unsettable' : branches
}

/** The part of a schema with a type array that concerns one of its types. */
function alternative(node: JsonObject, type: string): JsonObject {
  const keep =
    type === 'object' ? ['properties', 'required', 'additionalProperties'] : type === 'array' ? ['items'] : []
  return { type, ...Object.fromEntries(keep.filter((key) => key in node).map((key) => [key, node[key]!])) }
}

function descriptionOf(node: JsonObject): string | undefined {
  const text = typeof node.description === 'string' ? visible(node.description).trim() : ''
  const isFile = typeof node.format === 'string' && node.format.startsWith('Gradio File Input')
  if (!isFile) return cut(text, MAX_DESCRIPTION) || undefined
  if (text === '') return FILE_HINT
  return `${cut(text, MAX_DESCRIPTION - FILE_HINT.length - 1).trimEnd()} ${FILE_HINT}`
}

function enumOf(node: JsonObject, type: string | undefined): JsonValue[] | 'none-left' | undefined {
  const listed = node.const !== undefined ? [node.const] : node.enum
  if (!Array.isArray(listed) || type === 'array' || type === 'object') return undefined
  const fitting = listed.filter((value) => (type === undefined ? isPrimitive(value) : fits(value, type)))
  const unique = [...new Set(fitting)]
  return unique.length === 0 ? 'none-left' : unique
}

const isPrimitive = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

function fits(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return false
  }
}

function isDefault(value: JsonValue | undefined, type: string | undefined, values: JsonValue[] | undefined): boolean {
  if (value === undefined || !isPrimitive(value)) return false
  if (type !== undefined && !fits(value, type)) return false
  return values === undefined || values.includes(value)
}

function numbersOf(walk: Walk, node: JsonObject, type: string | undefined): JsonObject {
  if (walk.target !== 'openai' || (type !== 'number' && type !== 'integer')) return {}
  const out: JsonObject = {}
  if (typeof node.minimum === 'number') out.minimum = node.minimum
  if (typeof node.maximum === 'number') out.maximum = node.maximum
  return out
}

function containerOf(walk: Walk, node: JsonObject, type: string | undefined, place: Place): JsonObject | 'unsettable' {
  if (type === 'array') return arrayOf(walk, node, place)
  if (type !== 'object') return {}
  const entries: Array<[string, JsonObject]> = []
  const required = new Set(strings(node.required))
  for (const [name, property] of Object.entries(isObject(node.properties) ? node.properties : {})) {
    if (!isObject(property)) continue
    const dangling = walk.dangling
    const walked = walkNode(walk, property, { ...place, depth: place.depth + 1, wholeProperty: true })
    // Gradio's validator stumbles over a dangling reference wherever it stands inside the parameter.
    const never = place.depth === 0 && (walk.dangling > dangling || walk.cannotBeSet.has(name))
    const refused = walked.kind === 'unsettable' || never
    if (walked.kind === 'schema' && !refused) entries.push([name, walked.schema])
    if (!refused) continue
    note(walk, `parameter ${visible(cut(name, 60))} cannot be set`)
    if (required.has(name)) return 'unsettable'
  }
  const properties: JsonObject = Object.fromEntries(entries)
  const kept = [...required].filter((name) => Object.hasOwn(properties, name))
  return {
    properties,
    ...(kept.length > 0 ? { required: kept } : {}),
    ...additionalOf(walk, node, place),
  }
}

function additionalOf(walk: Walk, node: JsonObject, place: Place): JsonObject {
  const additional = node.additionalProperties
  if (walk.target === 'gemini' || additional === undefined) return {}
  if (typeof additional === 'boolean') return { additionalProperties: additional }
  if (!isObject(additional)) return {}
  const walked = walkNode(walk, additional, { ...place, depth: place.depth + 1, wholeProperty: false })
  return walked.kind === 'schema' ? { additionalProperties: walked.schema } : {}
}

/** OpenAI and Gemini refuse an array without `items`. */
function arrayOf(walk: Walk, node: JsonObject, place: Place): JsonObject | 'unsettable' {
  const items = Array.isArray(node.items) ? node.items[0] : node.items
  if (!isObject(items)) return { items: {} }
  const walked = walkNode(walk, items, { ...place, depth: place.depth + 1, wholeProperty: false })
  if (walked.kind === 'unsettable') return 'unsettable'
  return { items: walked.kind === 'schema' ? walked.schema : {} }
}

function note(walk: Walk, text: string): void {
  if (walk.notes.length < 20 && !walk.notes.includes(text)) walk.notes.push(text)
}
