import i18next from 'i18next'

import { strings } from '../../electron/strings/index.ts'

import type { ToolEntry } from '../../electron/contract/index.ts'
import type { StringLanguage } from '../../electron/strings/index.ts'

/** The interface's language now; English until the texts are ready. */
export function currentLanguage(): StringLanguage {
  const tag: string | undefined = i18next.language
  return tag !== undefined && Object.hasOwn(strings, tag) ? (tag as StringLanguage) : 'en'
}

/** What a tool does, for people: our own words for the body's tools, the source's own for every other. */
export function toolDescription(tool: Pick<ToolEntry, 'id' | 'source' | 'description'>): string {
  const own: Readonly<Record<string, string>> = strings[currentLanguage()].tools.descriptions
  return tool.source === 'built-in' ? (own[tool.id] ?? tool.description) : tool.description
}
