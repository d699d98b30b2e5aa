import { Buffer } from 'node:buffer'

import { plainText, stripLikePython } from './text.ts'
import { judgeSchema } from './usable.ts'

import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'
import type { McpLimits } from './limits.ts'
import type { ContentBlock, ListedTool, McpProgress, McpResult } from './types.ts'
import type { JudgeOptions } from './usable.ts'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Judges one entry of `tools/list` alone, so that a bad one never costs the others (the SDK's own parser rejects the
 * whole list, modelcontextprotocol/typescript-sdk `ListToolsResultSchema`).
 */
export function parseTool(raw: unknown, options: JudgeOptions & Pick<McpLimits, 'toolBytes'>): ListedTool {
  const entry = isObject(raw) ? raw : {}
  const remoteName = typeof entry.name === 'string' ? stripLikePython(entry.name) : ''
  const description = typeof entry.description === 'string' ? entry.description : ''
  const json = raw as JsonValue
  const bytes = Buffer.byteLength(JSON.stringify(json) ?? '')
  const reject = (problem: Problem): ListedTool => ({
    remoteName,
    description,
    inputSchema: {},
    status: 'rejected',
    problem,
    raw: bytes > options.toolBytes ? null : json,
  })

  if (bytes > options.toolBytes) {
    return reject({ code: 'tools/too-large', details: { bytes, limit: options.toolBytes } })
  }
  if (remoteName === '') return reject({ code: 'tools/bad-tool-name', details: { reason: 'no name' } })
  if (isObject(entry.execution) && entry.execution.taskSupport === 'required') {
    return reject({ code: 'tools/schema-unusable', details: { reason: 'needs the task protocol' } })
  }
  const verdict = judgeSchema(entry.inputSchema, options)
  if (!verdict.usable) return reject(verdict.problem)
  return { remoteName, description, inputSchema: entry.inputSchema as JsonObject, status: 'usable', raw: json }
}

/** All entries of a server, in its order. An exact repetition of an earlier name is rejected, the first one stays. */
export function parseTools(
  raws: readonly unknown[],
  options: JudgeOptions & Pick<McpLimits, 'toolBytes'>,
): ListedTool[] {
  const seen = new Set<string>()
  return raws.map((raw) => {
    const tool = parseTool(raw, options)
    if (tool.remoteName === '' || !seen.has(tool.remoteName)) {
      seen.add(tool.remoteName)
      return tool
    }
    return {
      ...tool,
      inputSchema: {},
      status: 'rejected' as const,
      problem: { code: 'tools/bad-tool-name' as const, details: { reason: 'an earlier tool has the same name' } },
    }
  })
}

/**
 * The answer of `tools/call`. Unknown or malformed blocks become `unsupported`; missing or `null` content is no content;
 * content that is one string (some servers send that) is one text.
 */
export function parseResult(raw: unknown): McpResult {
  const result = isObject(raw) ? raw : {}
  const blocks =
    typeof result.content === 'string'
      ? [{ type: 'text', text: result.content }]
      : Array.isArray(result.content)
        ? result.content
        : []
  const structured = result.structuredContent
  return {
    content: blocks.map(parseBlock),
    ...(structured === undefined || structured === null ? {} : { structured }),
    isError: result.isError === true,
  }
}

/** One content block, known types checked for their fields. */
export function parseBlock(raw: unknown): ContentBlock {
  if (!isObject(raw)) return { type: 'unsupported', what: 'not an object' }
  switch (raw.type) {
    case 'text':
      return typeof raw.text === 'string'
        ? { type: 'text', text: plainText(raw.text) }
        : unsupported('text without text')
    case 'image':
    case 'audio':
      return parseMedia(raw.type, raw.data, raw.mimeType)
    case 'resource':
      return parseResource(raw.resource)
    case 'resource_link':
      return parseLink(raw)
    default:
      return unsupported(typeof raw.type === 'string' ? plainText(raw.type, 40) : 'no type')
  }
}

const unsupported = (what: string): ContentBlock => ({ type: 'unsupported', what })

const MIME = /^[a-z]+\/[a-z0-9.+-]{1,80}$/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function parseMedia(type: 'image' | 'audio', data: unknown, mimeType: unknown): ContentBlock {
  if (typeof mimeType !== 'string' || !MIME.test(mimeType)) return unsupported(`${type} without a type`)
  if (typeof data !== 'string') return unsupported(`${type} without data`)
  const compact = /\s/.test(data) ? data.replace(/\s+/g, '') : data
  const bare = compact.replace(/=+$/, '')
  if (bare.length === 0 || bare.length % 4 === 1 || !BASE64.test(compact))
    return unsupported(`${type} with damaged data`)
  return { type, mimeType: mimeType.toLowerCase(), data: bare.padEnd(Math.ceil(bare.length / 4) * 4, '=') }
}

function parseResource(resource: unknown): ContentBlock {
  if (!isObject(resource) || typeof resource.uri !== 'string') return unsupported('resource without an address')
  const mimeType = typeof resource.mimeType === 'string' ? resource.mimeType : ''
  const media = /^(image|audio)\//i.exec(mimeType)?.[1]?.toLowerCase()
  if (typeof resource.blob === 'string' && (media === 'image' || media === 'audio')) {
    return parseMedia(media, resource.blob, mimeType)
  }
  const uri = plainText(resource.uri, 2048)
  return typeof resource.text === 'string'
    ? { type: 'resource', uri, text: plainText(resource.text) }
    : { type: 'resource', uri }
}

function parseLink(raw: JsonObject): ContentBlock {
  if (typeof raw.uri !== 'string' || !URL.canParse(raw.uri)) return unsupported('link without an address')
  const uri = plainText(raw.uri, 2048)
  return { type: 'link', uri, name: typeof raw.name === 'string' ? plainText(raw.name, 200) : uri }
}

/** A progress notification as the SDK hands it over. Gradio's `progress` is a mere counter and its `total` is missing. */
export function parseProgress(raw: {
  progress: number
  total?: number | undefined
  message?: string | undefined
}): McpProgress {
  return {
    progress: raw.progress,
    ...(raw.total === undefined ? {} : { total: raw.total }),
    ...(raw.message === undefined ? {} : { message: plainText(raw.message, 300) }),
  }
}
