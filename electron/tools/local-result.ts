import { isObject } from './json-pointer.ts'
import { readResult } from './results.ts'
import { mimeOf } from './sniff.ts'
import { cut, visible } from './text.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { ContentBlock } from '../mcp/index.ts'
import type { ReadResult } from './results.ts'
import type { ToolProgress } from './types.ts'

/** Characters of an answer that the screen gets as data besides its text. */
const MAX_STRUCTURED = 65_536

/**
 * What a tool in a file of the user's own answered. The file is theirs, but what it says may come from anywhere (a page, a
 * mailbox): it is capped, cleaned and marked as data like a stranger's answer. `{"error": "…"}` is a failure and a picture
 * is `{"b64_im": "…"}`, as in the robot's conversation app.
 * @param from the name that the model's copy begins with.
 */
export function localResult(value: JsonValue, durationMs: number, from: string): ReadResult {
  const isError = isObject(value) && typeof value.error === 'string'
  const isPicture = isObject(value) && typeof value.b64_im === 'string'
  const keepsData = isObject(value) && !isError && !isPicture && JSON.stringify(value).length <= MAX_STRUCTURED
  return readResult({ content: blocksOf(value), isError, ...(keepsData ? { structured: value } : {}) }, durationMs, {
    from,
  })
}

function blocksOf(value: JsonValue): ContentBlock[] {
  if (value === null) return []
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (!isObject(value)) return [{ type: 'text', text: JSON.stringify(value) }]
  const { error, b64_im: picture, ...rest } = value
  const others = (object: JsonObject): ContentBlock[] =>
    Object.keys(object).length === 0 ? [] : [{ type: 'text', text: JSON.stringify(object) }]
  if (typeof error === 'string') return [{ type: 'text', text: error }, ...others(rest)]
  if (typeof picture !== 'string') return others(value)
  const mimeType = mimeOf(Buffer.from(picture.slice(0, 64), 'base64'))
  return [{ type: 'image', mimeType, data: picture }, ...others(rest)]
}

/** Progress that a file's tool told, as the screen shows it. */
export function localProgress({ fraction, message }: ToolProgress): ToolProgress {
  const text = message === undefined ? '' : visible(cut(message, 200)).trim()
  return {
    ...(fraction === undefined || !Number.isFinite(fraction) ? {} : { fraction: Math.min(1, Math.max(0, fraction)) }),
    ...(text === '' ? {} : { message: text }),
  }
}
