import { cut, visible } from './text.ts'

import type { JsonObject, ToolImage, ToolResult } from '../contract/index.ts'
import type { ContentBlock, McpResult } from '../mcp/index.ts'

/** Characters of a result that a model gets; long pages drown everything else it knows. */
export const MAX_MODEL_TEXT = 4_000
/** Characters that the screen gets. */
const MAX_SCREEN_TEXT = 65_536
const MAX_IMAGES = 8
/** Base64 characters of one picture, about 7.5 MB of it. */
const MAX_IMAGE = 10_000_000
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/
/** Gradio sends the picture's address as a text of its own after the picture (`gradio/mcp.py`). */
const IMAGE_URL = /^(?:SVG )?Image URL: (\S+)$/
const NO_OUTPUT = 'done, no output'

/** What a remote tool answered, split for the two who read it. */
export interface ReadResult {
  readonly result: ToolResult
  readonly textForModel: string
}

interface Reading {
  readonly screen: string[]
  readonly model: string[]
  readonly images: ToolImage[]
}

/**
 * Reads the content of a tool's answer. Text counts once: the structured copy of the same data is used only when there
 * is no text. Pictures go to the screen and are named in the model's text; base64 never reaches the model as text.
 * @param durationMs how long the call took.
 */
export function readResult(answer: McpResult, durationMs: number): ReadResult {
  const reading: Reading = { screen: [], model: [], images: [] }
  answer.content.forEach((block, k) => readBlock(reading, block, answer.content[k - 1], answer.content[k + 1]))
  const hasText = answer.content.some((block) => block.type === 'text' && block.text.trim() !== '')
  if (!hasText && reading.model.length === 0 && answer.structured !== undefined) {
    const json = JSON.stringify(answer.structured)
    reading.screen.push(json)
    reading.model.push(json)
  }
  const whole = (parts: readonly string[]): string => {
    const text = parts.filter((part) => part !== '').join('\n\n')
    // `[]` is how Gradio says that a function returns nothing.
    return text === '' || text === '[]' ? '' : text
  }
  const modelText = whole(reading.model) || NO_OUTPUT
  const result: ToolResult = {
    text: cut(whole(reading.screen) || (reading.images.length > 0 ? '' : NO_OUTPUT), MAX_SCREEN_TEXT),
    ...(answer.structured === undefined ? {} : { structured: answer.structured }),
    images: reading.images,
    isError: answer.isError,
    durationMs,
  }
  return { result, textForModel: forModel(modelText, answer.isError) }
}

function readBlock(
  reading: Reading,
  block: ContentBlock,
  before: ContentBlock | undefined,
  after: ContentBlock | undefined,
): void {
  const both = (text: string): void => {
    reading.screen.push(text)
    reading.model.push(text)
  }
  switch (block.type) {
    case 'text': {
      const text = visible(block.text).trim()
      // The picture before it names the address already.
      if (before?.type === 'image' && IMAGE_URL.test(text)) reading.screen.push(text)
      else both(text)
      return
    }
    case 'image':
      readImage(reading, block, after)
      return
    case 'audio':
      both(`[audio, ${visible(cut(block.mimeType, 60))}]`)
      return
    case 'resource':
      both(
        [visible(cut(block.uri, 2_000)), block.text === undefined ? '' : visible(block.text).trim()]
          .filter(Boolean)
          .join('\n'),
      )
      return
    case 'link':
      both(`${visible(cut(block.name, 200))}: ${visible(cut(block.uri, 2_000))}`)
      return
    case 'unsupported':
      both(`[unsupported content: ${visible(cut(block.what, 100))}]`)
  }
}

function readImage(reading: Reading, block: ContentBlock & { type: 'image' }, after: ContentBlock | undefined): void {
  const mimeType = visible(cut(block.mimeType, 60)).toLowerCase()
  if (!IMAGE_TYPE.test(mimeType) || block.data.length > MAX_IMAGE || !BASE64.test(block.data)) {
    const size = `${Math.ceil((block.data.length * 3) / 4 / 1_000_000)} MB`
    const text =
      block.data.length > MAX_IMAGE
        ? `[picture too large to show: ${mimeType}, ${size}]`
        : `[picture that cannot be shown: ${mimeType}]`
    reading.screen.push(text)
    reading.model.push(text)
    return
  }
  if (reading.images.length < MAX_IMAGES) reading.images.push({ mimeType, data: block.data })
  const url = after?.type === 'text' ? IMAGE_URL.exec(after.text.trim())?.[1] : undefined
  reading.model.push(url ? `[image shown to the user: ${visible(cut(url, 2_000))}]` : '[image shown to the user]')
}

/** A text as a model gets it: capped with a word about what is missing, and a failure named as one. */
export function forModel(text: string, isError: boolean): string {
  const capped =
    text.length <= MAX_MODEL_TEXT
      ? text
      : `${cut(text, MAX_MODEL_TEXT)}\n… [truncated: ${MAX_MODEL_TEXT} of ${text.length} characters]`
  return isError ? `Tool failed: ${capped}` : capped
}

/** What one of our own tools answered: JSON for the model, the same as structured data for the screen. */
export function ownResult(answer: JsonObject, durationMs: number): ReadResult {
  const isError = typeof answer.error === 'string'
  const text = JSON.stringify(answer)
  return {
    result: { text, structured: answer, images: [], isError, durationMs },
    textForModel: forModel(text, isError),
  }
}
