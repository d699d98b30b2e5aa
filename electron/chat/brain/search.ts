import { examplesOf } from './examples.ts'
import { contentWords } from './tokens.ts'

import type { JsonObject, ToolEntry } from '../../contract/index.ts'

export interface Found {
  readonly tool: ToolEntry
  readonly score: number
  /** Share of the words of the tool's name that the sentence contains, 0 … 1. */
  readonly named: number
  /** Different words of the sentence that fit the tool anywhere. */
  readonly matched: number
  /** Share of the sentence's telling words that fit, 0 … 1. */
  readonly covered: number
}

export interface ToolIndex {
  /** Tools that fit a sentence, best first. */
  search(sentence: string): Found[]
}

/** Words of tool names that tell nothing: every second tool is a "web tool" or a "demo". */
const COMMON = new Set(['web', 'api', 'mcp', 'demo', 'space', 'app', 'server', 'trigger', 'predict', 'fn', 'function'])

/**
 * An index over names, descriptions, parameters and example sentences. The library is loaded with the first index.
 * Ranking is BM25 with the name counting most.
 */
export async function createToolIndex(tools: readonly ToolEntry[]): Promise<ToolIndex> {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch<Record<string, string>>({
    fields: ['name', 'examples', 'description', 'parameters', 'origin'],
    tokenize: contentWords,
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 4, examples: 2, description: 1.5, parameters: 0.7, origin: 0.7 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 && /^[a-z]+$/.test(term) ? 0.2 : false),
    },
  })
  index.addAll(
    tools.map((tool) => ({
      id: tool.id,
      name: tool.shortName,
      examples: examplesOf(tool.shortName).join(' '),
      description: tool.description,
      parameters: parameterText(tool.parameters),
      origin: tool.source === 'built-in' ? '' : (tool.origin.split('/')[1] ?? tool.origin),
    })),
  )
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  const nameWords = new Map(
    tools.map((tool) => [tool.id, contentWords(tool.shortName).filter((word) => !COMMON.has(word))]),
  )
  return {
    search(sentence) {
      const terms = [...new Set(contentWords(sentence))]
      if (terms.length === 0) return []
      const said = new Set(terms)
      return index
        .search(terms.join(' '))
        .map((hit): Found => {
          const names = nameWords.get(String(hit.id)) ?? []
          const named = names.length === 0 ? 0 : names.filter((word) => said.has(word)).length / names.length
          const matched = new Set(hit.queryTerms).size
          return {
            tool: byId.get(String(hit.id))!,
            score: hit.score * (1 + named),
            named,
            matched,
            covered: matched / terms.length,
          }
        })
        .sort((a, b) => b.score - a.score)
    },
  }
}

function parameterText(schema: JsonObject): string {
  const properties = schema.properties
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return ''
  return Object.entries(properties)
    .flatMap(([name, property]) => {
      if (typeof property !== 'object' || property === null || Array.isArray(property)) return [name]
      const { description, enum: choices } = property
      return [name, description, ...(Array.isArray(choices) ? choices : [])].filter((part) => typeof part === 'string')
    })
    .join(' ')
}
