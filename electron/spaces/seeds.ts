import { contentHash } from './pins.ts'

import type { ManifestEntry, ManifestTool } from './manifest.ts'

/** Publisher of the robot and of the three Spaces everyone starts with. */
export const OFFICIAL_PUBLISHER = 'pollen-robotics'

export const isOfficial = (slug: string): boolean => slug.toLowerCase().startsWith(`${OFFICIAL_PUBLISHER}/`)

/**
 * The Spaces that upstream starts with while no manifest exists (`pollen-robotics/reachy_mini_conversation_app` 0.10):
 * same slugs, names and parameters in the same order. The descriptions are our own; they tell the model to call at once,
 * because a model that only announces a search never makes it.
 */
export const SEEDS: readonly ManifestEntry[] = [
  seed('search', 'search_web', {
    description:
      'Searches the web and returns titles, addresses and short extracts. Call it directly whenever current or unknown facts are needed, without announcing the search; then answer from the results.',
    properties: {
      query: { type: 'string', description: 'What to look for, as one would type it into a search engine.' },
      max_results: { type: 'integer', minimum: 1, maximum: 10, default: 5, description: 'How many results to return.' },
    },
    required: ['query'],
  }),
  seed('time', 'get_time', {
    description:
      'Tells the current date and time, in the local time zone of the person or anywhere else, and can compare two zones. Call it directly when the time or the date matters; never guess it and do not say that you are going to look.',
    properties: {
      timezone: {
        type: 'string',
        default: '',
        description: 'IANA name such as Europe/Paris; empty for the local time.',
      },
      compare_timezone: { type: 'string', default: '', description: 'A second zone to compare with; empty for none.' },
    },
    required: [],
  }),
  seed('weather', 'get_weather', {
    description:
      'Gives the current weather and a short forecast of a place. Call it directly when weather is asked for; do not announce it and do not answer from memory.',
    properties: { location: { type: 'string', description: 'City or place, with the country when it is ambiguous.' } },
    required: ['location'],
  }),
]

/** The tool still has the words that we gave it, which no server ever said. */
export const isOwnText = (slug: string, tool: ManifestTool): boolean =>
  SEEDS.some((entry) => entry.slug === slug && entry.tools.some((one) => contentHash(one) === contentHash(tool)))

function seed(
  name: string,
  tool: string,
  {
    description,
    properties,
    required,
  }: { description: string; properties: Record<string, Record<string, string | number>>; required: string[] },
): ManifestEntry {
  const alias = `pollen_robotics_reachy_mini_${name}_tool`
  const remoteName = `reachy_mini_${name}_tool_${tool}`
  return {
    slug: `${OFFICIAL_PUBLISHER}/reachy-mini-${name}-tool`,
    alias,
    mcpUrl: `https://${OFFICIAL_PUBLISHER}-reachy-mini-${name}-tool.hf.space/gradio_api/mcp/`,
    private: false,
    tools: [
      {
        id: `${alias}__${tool}`,
        clientName: `${alias}__${remoteName}`,
        remoteName,
        description,
        parameters: { type: 'object', properties, required },
      },
    ],
  }
}
