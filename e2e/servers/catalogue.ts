import {
  postcardTools,
  recipeTool,
  searchTool,
  skyTools,
  tideTool,
  timeTool,
  trainTool,
  weatherTool,
  type Workshop,
} from './catalogue-tools.ts'
import { startEverything } from './everything.ts'
import { startHub, type SpaceRecord, type StandInHub } from './hub.ts'
import { startProxy } from './proxy.ts'
import { startSpace, type SpaceTool, type StandInSpace } from './space.ts'

export interface CatalogueOptions {
  /** Seconds that the sleeping ones take to wake. Default 4. */
  wakeSeconds?: number
  /** Pause between two steps of the slow tools, ms. Default 700. */
  stepMs?: number
  /** Also start server-everything, as `workbench/everything`. */
  everything?: boolean
  /** The Hub's; the Spaces follow. Addresses that are kept in a manifest then last from run to run. Default: free ones. */
  firstPort?: number
}

export interface Catalogue {
  readonly hub: StandInHub
  /** Running Spaces by slug. */
  readonly spaces: ReadonlyMap<string, StandInSpace>
  close(): Promise<void>
}

type Condition = 'runs' | 'sleeps' | 'paused' | 'building' | 'broken' | 'no-mcp'

interface Entry extends Omit<SpaceRecord, 'stage' | 'host'> {
  title: string
  shortDescription: string
  condition: Condition
  tools: (workshop: Workshop) => SpaceTool[]
}

const TAGS = ['mcp-server', 'reachy-mini-tool']

/** Invented, but for the three that the robot's maker publishes; likes in no relation to anything. */
const ENTRIES: readonly Entry[] = [
  {
    id: 'pollen-robotics/reachy-mini-search-tool',
    title: 'Reachy Mini Search',
    emoji: '🔎',
    likes: 128,
    shortDescription: 'Searches the web and gives short answers with their sources.',
    condition: 'runs',
    tools: () => [searchTool],
  },
  {
    id: 'pollen-robotics/reachy-mini-weather-tool',
    title: 'Reachy Mini Weather',
    emoji: '🌦️',
    likes: 96,
    shortDescription: 'Weather now and for the day, for any place by name.',
    condition: 'runs',
    tools: () => [weatherTool],
  },
  {
    id: 'pollen-robotics/reachy-mini-time-tool',
    title: 'Reachy Mini Time',
    emoji: '🕰️',
    likes: 41,
    shortDescription: 'The time anywhere, and the difference between two places.',
    condition: 'runs',
    tools: () => [timeTool],
  },
  {
    id: 'atelier-nord/postcard-painter',
    title: 'Postcard Painter',
    emoji: '🖼️',
    likes: 312,
    tags: ['mcp-server', 'reachy-mini-tool', 'mcp'],
    hardware: 'zero-a10g',
    shortDescription: 'Paints a postcard from one sentence. Eight styles, from gouache to linocut.',
    condition: 'runs',
    tools: postcardTools,
  },
  {
    id: 'commons-mobility-lab/small-station-departures',
    title: 'Regional Train Departures for Small Stations (Beta)',
    emoji: '🚆',
    likes: 57,
    hardware: 'cpu-upgrade',
    shortDescription: 'Next departures, platforms and delays for 4,200 stations that big planners forget.',
    condition: 'sleeps',
    tools: () => [trainTool],
  },
  {
    id: 'quiet-hours/bedtime-story-library',
    title: 'Bedtime Story Library',
    emoji: '📚',
    likes: 88,
    shortDescription: 'Reads a story of the length you ask for, and stops when the room is quiet.',
    condition: 'building',
    tools: () => [],
  },
  {
    id: 'polyglot-kitchen/translate-and-pronounce',
    title: 'Translate and Pronounce',
    emoji: '🗣️',
    likes: 203,
    hardware: 't4-small',
    tags: ['reachy-mini-tool'],
    shortDescription: 'Translates a sentence and says it slowly, in 40 languages.',
    condition: 'no-mcp',
    tools: () => [],
  },
  {
    id: 'opening-book/chess-position-explainer',
    title: 'Chess Position Explainer',
    emoji: '♟️',
    likes: 34,
    shortDescription: 'Explains a position in words and proposes a plan for either side.',
    condition: 'paused',
    tools: () => [],
  },
  {
    id: 'balcony-garden/plant-doctor',
    title: 'Plant Doctor',
    emoji: '🪴',
    likes: 19,
    shortDescription: 'Tells from a photo what your plant is missing.',
    condition: 'broken',
    tools: () => [],
  },
  {
    id: 'salt-and-gauge/tide-tables',
    title: 'Tide Tables',
    emoji: '🌊',
    likes: 44,
    shortDescription: 'High and low water for any coast, with the moon.',
    condition: 'runs',
    tools: () => [tideTool],
  },
  {
    id: 'kitchen-arithmetic/recipe-scaler',
    title: 'Recipe Scaler',
    emoji: '🥣',
    likes: 27,
    shortDescription: 'Turns a recipe for four into one for seven.',
    condition: 'runs',
    tools: (workshop) => [recipeTool(workshop)],
  },
  {
    id: 'small-observatory/sky-tonight',
    title: 'Sky Tonight',
    emoji: '🔭',
    likes: 76,
    tags: ['mcp'],
    shortDescription: 'Planets, passes and meteors above your roof.',
    condition: 'runs',
    tools: () => skyTools,
  },
  {
    id: 'commons-mobility-lab/bus-map',
    title: 'Bus Map',
    emoji: '🚌',
    likes: 12,
    sdk: 'docker',
    tags: [],
    shortDescription: 'Every bus on one map. A container, not a Gradio app.',
    condition: 'runs',
    tools: () => [],
  },
]

const STAGES: Partial<Record<Condition, string>> = { building: 'BUILDING', broken: 'RUNTIME_ERROR' }

async function startEntry(
  entry: Entry,
  options: CatalogueOptions,
  port: number,
): Promise<{ space: StandInSpace; record: SpaceRecord }> {
  const { condition, tools, ...record } = entry
  const stepMs = options.stepMs ?? 700
  const space = await startSpace({ id: entry.id, title: entry.title, tools: [], port })
  space.tools.push(...tools({ files: space.files, stepMs }))
  if (condition === 'sleeps') space.fault('asleep', options.wakeSeconds ?? 4)
  if (condition === 'paused' || condition === 'building' || condition === 'broken') space.fault('paused')
  if (condition === 'no-mcp') space.fault('noMcp404')
  const stage = STAGES[condition] ?? (() => space.stage())
  return { space, record: { tags: TAGS, trendingScore: record.likes ?? 0, ...record, stage, host: space.url } }
}

/**
 * A Hub with a small catalogue of Spaces in every condition, all on loopback: running, sleeping (wakes when visited),
 * paused, building, broken, without MCP, of another kind; one with a tool that cannot be used, one whose description
 * gives orders.
 */
export async function startCatalogue(options: CatalogueOptions = {}): Promise<Catalogue> {
  const port = (offset: number): number => (options.firstPort === undefined ? 0 : options.firstPort + offset)
  const closers: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((one) => one.close()))
  }
  const spaces = new Map<string, StandInSpace>()
  const records: SpaceRecord[] = []
  try {
    for (const [index, entry] of ENTRIES.entries()) {
      const { space, record } = await startEntry(entry, options, port(index + 1))
      closers.push(space)
      spaces.set(record.id, space)
      records.push(record)
    }
    if (options.everything === true) records.push(await startWorkbench(port(ENTRIES.length + 1), closers))
    const hub = await startHub({ spaces: records, port: port(0) })
    closers.push(hub)
    return { hub, spaces, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startWorkbench(port: number, closers: { close(): Promise<void> }[]): Promise<SpaceRecord> {
  const everything = await startEverything()
  closers.push(everything)
  const proxy = await startProxy(everything.url, { id: 'workbench/everything', title: 'Everything', port })
  closers.push(proxy)
  return {
    id: 'workbench/everything',
    title: 'Everything',
    emoji: '🧰',
    likes: 8,
    tags: TAGS,
    shortDescription: 'The reference server of the Model Context Protocol: every kind of tool and answer.',
    host: proxy.url,
  }
}
