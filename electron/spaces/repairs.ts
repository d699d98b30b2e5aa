import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { hashOf } from './canonical-json.ts'
import { isMcpUrl, parseUrl } from './origin.ts'
import { parseSpaceRef } from './ref.ts'

import type { JsonValue, SpacesSnapshot } from '../contract/index.ts'
import type { BadEntry } from './manifest.ts'

/** What one thing that could not be read is called by; the same as long as its content is, on every run. */
export const problemId = (entry: { readonly raw: JsonValue }): string => hashOf(entry.raw).slice(0, 16)

/**
 * The Space that a bad entry probably means: its name in any spelling that a person may type, else the address it was
 * reached at. To be looked up again, never contacted by itself.
 *
 * @returns `owner/name`, or `label.hf.space` where only the Hub knows the name; `undefined` when nothing points to a Space
 */
export function suggestionFor(raw: JsonValue, hubEndpoint?: string): string | undefined {
  for (const text of hintsIn(raw)) {
    try {
      const ref = parseSpaceRef(text, hubEndpoint)
      return ref.kind === 'slug' ? ref.slug : `${ref.label}.hf.space`
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
    }
  }
  return undefined
}

function hintsIn(raw: JsonValue): string[] {
  if (typeof raw === 'string') return [raw]
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return []
  const { slug, mcp_url: url } = raw
  const address = typeof url === 'string' && isMcpUrl(url, false) ? [parseUrl(url)?.host ?? ''] : []
  return [...(typeof slug === 'string' ? [slug] : []), ...address]
}

/** Bad entries as a screen lists them, each once. */
export function problemsOf(entries: readonly BadEntry[], hubEndpoint?: string): SpacesSnapshot['problems'] {
  const byId = new Map(entries.map((entry) => [problemId(entry), entry]))
  return [...byId].map(([id, { label, problem, raw }]) => {
    const suggestion = suggestionFor(raw, hubEndpoint)
    return { entry: plainText(label, 200), problem, id, ...(suggestion === undefined ? {} : { suggestion }) }
  })
}
