/** Longest description of a tool or a parameter that a model gets, in characters. */
export const MAX_DESCRIPTION = 1_024

// Line feed and tab stay; everything else of C0, C1, the bidirectional and zero-width marks and the tag block can hide
// text from the person who approves a tool while the model still reads it.

const INVISIBLE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu

/** Removes control and invisible characters; line feeds and tabs stay, `\r\n` becomes `\n`. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, '')
}

/** At most `max` UTF-16 units, never ending inside a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/**
 * Gradio glues this sentence to the description of every tool with a file among its inputs. It names a tool that the
 * Space does not offer, so that a model goes looking for it (`gradio/mcp.py`, file data notice).
 */
const GRADIO_UPLOAD =
  /\s*If a user passes a file as an input, use the upload_file_to_gradio tool[^]*?as the input to the tool\.?/g

/** A remote description as a model gets it; `null` when nothing is left. */
export function describe(text: string): string | null {
  const clean = visible(text).replace(GRADIO_UPLOAD, '').trim()
  return clean === '' ? null : cut(clean, MAX_DESCRIPTION)
}

/** `get_weather` → `Get weather`. */
export function readable(name: string): string {
  const words = name.replace(/[_\-.]+/g, ' ').trim()
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
}
