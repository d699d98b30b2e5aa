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

/** Elements of HTML, roles and marks of chat templates, and the names that prompts like to give to their parts. */
const TAGS =
  /<\/?(?:a|abbr|article|aside|assistant|audio|b|blockquote|body|br|button|canvas|code|dd|details|developer|div|dl|dt|em|embed|figure|font|footer|form|function_calls?|h[1-6]|head|header|hr|html|i|iframe|img|important|input|instructions?|invoke|label|li|link|main|mark|meta|nav|noscript|object|ol|option|p|parameter|pre|prompt|s|section|select|small|source|span|strong|sub|summary|sup|svg|system|table|tbody|td|textarea|tfoot|th|thead|title|tool|tool_calls?|tool_results?|tr|u|ul|user|video)(?:\s[^<>]{0,2000})?\/?>/gi
const HIDDEN = /<!--[^]*?(?:-->|$)|<(script|style|template)\b[^]*?(?:<\/\1\s*>|$)/gi
/** `<|im_start|>`, `[INST]`, `<<SYS>>`, `<s>`: what models are taught to take for the edge of a message. */
const TEMPLATE = /<\|[^|<>\n]{1,60}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?s>|<(?:start|end)_of_turn>/gi

/**
 * A stranger's text without markup, for a model: no elements, nothing that a page hides, none of the marks by which a chat
 * is told apart. Angle brackets of code (`List<String>`, `a < b`) stay.
 */
export function withoutMarkup(text: string): string {
  let bare = text
  // What is left may close up to a mark again.
  for (let round = 0; round < 3; round += 1) {
    const next = bare.replace(HIDDEN, '').replace(TEMPLATE, '').replace(TAGS, '')
    if (next === bare) break
    bare = next
  }
  return bare.trim()
}
