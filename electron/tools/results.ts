import { mimeOf, wavSeconds } from './sniff.ts'
import { answerWarnings } from './steering.ts'
import { cut, visible, withoutMarkup } from './text.ts'

import type { JsonObject, JsonValue, ToolFile, ToolImage, ToolResult } from '../contract/index.ts'
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

/** Bytes of one file, of all files of one answer, and how many there may be. */
export const MAX_FILE = 25_000_000
export const MAX_FILES_BYTES = 40_000_000
export const MAX_FILES = 4

/** What a remote tool answered, split for the two who read it. */
export interface ReadResult {
  readonly result: ToolResult
  readonly textForModel: string
}

export interface Answering {
  /** Slug or name of whoever answered: the model's copy begins with it. */
  readonly from: string
  /** What the addresses that some blocks consist of lead to, by the number of the block, see `result-files.ts`. */
  readonly files?: ReadonlyMap<number, ToolFile>
}

interface Reading {
  readonly screen: string[]
  readonly model: string[]
  readonly images: ToolImage[]
  readonly files: ToolFile[]
  /** Everything in words, as it came. */
  readonly raw: string[]
}

/**
 * Reads the content of a tool's answer. Text counts once: the structured copy of the same data is used only when there
 * is no text. Pictures, sounds and files go to the screen and are named in the model's text; base64 never reaches the model
 * as text. The model's copy says whose it is and that it is data, and holds no markup.
 * @param durationMs how long the call took.
 */
export function readResult(answer: McpResult, durationMs: number, { from, files }: Answering): ReadResult {
  const reading: Reading = { screen: [], model: [], images: [], files: [], raw: [] }
  answer.content.forEach((block, k) => {
    const file = files?.get(k)
    if (file && block.type === 'text') readFileAddress(reading, visible(block.text).trim(), file)
    else readBlock(reading, block, answer.content[k - 1], answer.content[k + 1])
  })
  const hasText = answer.content.some((block) => block.type === 'text' && block.text.trim() !== '')
  if (!hasText && reading.model.length === 0 && answer.structured !== undefined) {
    const json = JSON.stringify(answer.structured)
    reading.raw.push(json)
    reading.screen.push(visible(json))
    reading.model.push(visible(json))
  }
  const whole = (parts: readonly string[]): string => {
    const text = parts.filter((part) => part !== '').join('\n\n')
    // `[]` is how Gradio says that a function returns nothing.
    return text === '' || text === '[]' ? '' : text
  }
  const modelText = whole(reading.model) || NO_OUTPUT
  const shown = reading.images.length > 0 || reading.files.length > 0
  const screen = whole(reading.screen) || (shown ? '' : NO_OUTPUT)
  const warnings = answerWarnings(reading.raw.join('\n'))
  const result: ToolResult = {
    text:
      screen.length <= MAX_SCREEN_TEXT
        ? screen
        : `${cut(screen, MAX_SCREEN_TEXT)}\n… [truncated: ${MAX_SCREEN_TEXT} of ${screen.length} characters]`,
    ...(answer.structured === undefined ? {} : { structured: answer.structured }),
    images: reading.images,
    ...(reading.files.length > 0 ? { files: reading.files } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    isError: answer.isError,
    durationMs,
  }
  return { result, textForModel: `[from ${from}, data only]\n${forModel(withoutMarkup(modelText), answer.isError)}` }
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
      reading.raw.push(block.text)
      // The picture before it names the address already.
      if (before?.type === 'image' && IMAGE_URL.test(text)) reading.screen.push(text)
      else both(text)
      return
    }
    case 'image':
      readImage(reading, block, after)
      return
    case 'audio':
      readAudio(reading, block)
      return
    case 'resource':
      reading.raw.push(block.uri, block.text ?? '')
      both(
        [visible(cut(block.uri, 2_000)), block.text === undefined ? '' : visible(block.text).trim()]
          .filter(Boolean)
          .join('\n'),
      )
      return
    case 'link':
      reading.raw.push(block.name, block.uri)
      both(`${visible(cut(block.name, 200))}: ${visible(cut(block.uri, 2_000))}`)
      return
    case 'unsupported':
      both(`[unsupported content: ${visible(cut(block.what, 100))}]`)
  }
}

/** A text that is nothing but the address of a file, which has been fetched or has not. */
function readFileAddress(reading: Reading, url: string, file: ToolFile): void {
  reading.files.push(file)
  const address = visible(cut(url, 2_000))
  if (file.data === undefined) {
    reading.screen.push(address)
    reading.model.push(`[file that could not be fetched: ${address}]`)
    return
  }
  reading.model.push(`[${fileWords(file)}, shown to the user: ${address}]`)
}

function readAudio(reading: Reading, block: ContentBlock & { type: 'audio' }): void {
  const bytes = Math.floor((block.data.length * 3) / 4)
  const label = visible(cut(block.mimeType, 60))
  const kept = reading.files.reduce((sum, file) => sum + file.bytes, 0)
  const tooMuch = bytes > MAX_FILE || kept + bytes > MAX_FILES_BYTES || reading.files.length >= MAX_FILES
  if (tooMuch || !BASE64.test(block.data)) {
    const text = tooMuch ? `[sound too large to play: ${label}]` : `[sound that cannot be played: ${label}]`
    reading.screen.push(text)
    reading.model.push(text)
    return
  }
  const decoded = Buffer.from(block.data, 'base64')
  const mimeType = mimeOf(decoded)
  const file: ToolFile = {
    name: `sound-${reading.files.length + 1}${extensionOf(mimeType)}`,
    mimeType,
    bytes: decoded.length,
    data: decoded.toString('base64'),
  }
  reading.files.push(file)
  reading.model.push(`[${fileWords(file)}, shown to the user]`)
}

const extensionOf = (mimeType: string): string => {
  const known: Readonly<Record<string, string>> = {
    'audio/wav': '.wav',
    'audio/mpeg': '.mp3',
    'audio/ogg': '.ogg',
    'audio/flac': '.flac',
    'audio/mp4': '.m4a',
    'video/webm': '.webm',
  }
  return known[mimeType] ?? '.bin'
}

/** "audio, 3.2 s", "clip.mp4 (video/mp4, 1.2 MB)". */
function fileWords(file: ToolFile): string {
  const seconds = file.mimeType === 'audio/wav' && file.data !== undefined ? wavSeconds(file.data) : undefined
  if (file.mimeType.startsWith('audio/')) return seconds === undefined ? 'audio' : `audio, ${seconds.toFixed(1)} s`
  return `file ${file.name} (${file.mimeType}, ${(file.bytes / 1_000_000).toFixed(1)} MB)`
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

/** What one of our own tools answered: JSON for the model, the same as structured data for the screen. Never a stranger's. */
export function ownResult(answer: JsonObject, durationMs: number): ReadResult {
  const isError = typeof answer.error === 'string'
  const text = JSON.stringify(answer)
  return {
    result: { text, structured: answer, images: [], isError, durationMs },
    textForModel: forModel(text, isError),
  }
}

/** Characters of a whole answer that the person who tried a tool may look at. */
const MAX_RECEIVED = 65_536

/** An answer as JSON for a person: characters that cannot be seen are spelled out, and it is capped with a word about it. */
export function receivedText(received: JsonValue): string {
  const json = JSON.stringify(received, null, 2).replace(
    /[\u007f-\u009f\p{Cf}\u034f\u115f\u1160\u2028\u2029\u3164]/gu,
    (character) => [...Array(character.length).keys()].map((k) => escaped(character.charCodeAt(k))).join(''),
  )
  if (json.length <= MAX_RECEIVED) return json
  return `${cut(json, MAX_RECEIVED)}\n… [truncated: ${MAX_RECEIVED} of ${json.length} characters]`
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`
