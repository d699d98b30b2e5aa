import { createHash } from 'node:crypto'

import type { JsonObject } from '../../electron/contract/index.ts'

/** A Space that the stand-in Hub knows. Every field but `id` has a believable default. */
export interface SpaceRecord {
  /** Canonical `owner/name`. */
  id: string
  title?: string
  emoji?: string
  likes?: number
  tags?: readonly string[]
  sdk?: string
  /**
   * A stage; a list of stages, of which each answer of `/runtime` tells the next (the last one stays); a function asked
   * anew for each answer; `null` leaves `runtime` out. Default `RUNNING`.
   */
  stage?: string | readonly string[] | (() => string) | null
  private?: boolean
  /** `true`: the answer says so. `blocked`: 403 "Access to this resource is disabled." */
  disabled?: boolean | 'blocked'
  /** 403 `GatedRepo` for whoever sends no accepted token. */
  gated?: boolean
  hardware?: string
  shortDescription?: string
  /** Origin of the running app. `null`: neither `host` nor `subdomain` is told. Default: `https://{subdomain}.hf.space`. */
  host?: string | null
  subdomain?: string
  /** Former ids, answered with 307. */
  renamedFrom?: readonly string[]
  /** `false` leaves `cardData` out of every answer. */
  cardData?: boolean
  /** ISO 8601; `null` leaves it out. */
  lastModified?: string | null
  trendingScore?: number
  /** Text of its README.md; `null`: it has none. Default: {@link readmeOf} makes one of the other fields. */
  readme?: string | null
}

/** README.md with the card's front matter (https://huggingface.co/docs/hub/spaces-config-reference). */
export function readmeOf(record: SpaceRecord): string | null {
  if (record.readme !== undefined) return record.readme
  const title = record.title ?? record.id.split('/')[1] ?? record.id
  return [
    '---',
    `title: ${title}`,
    `emoji: ${record.emoji ?? '🤖'}`,
    `sdk: ${record.sdk ?? 'gradio'}`,
    `tags: [${(record.tags ?? []).join(', ')}]`,
    '---',
    '',
    `# ${title}`,
    '',
    record.shortDescription ?? 'A tool for a small robot.',
    '',
    '## How to use it',
    '',
    '- Ask in a whole sentence.',
    '- Wait for the answer.',
    '',
    `More about it on [its page](https://huggingface.co/spaces/${record.id}).`,
    '',
  ].join('\n')
}

/** The label of `*.hf.space`: lower case, everything outside `[a-z0-9]` becomes `-` (examples in the Hub's Spaces documentation). */
export function subdomainOf(record: SpaceRecord): string {
  return record.subdomain ?? record.id.toLowerCase().replace(/[^a-z0-9]/g, '-')
}

export function hostOf(record: SpaceRecord): string | undefined {
  if (record.host === null) return undefined
  return record.host ?? `https://${subdomainOf(record)}.hf.space`
}

/** The answer of `GET /api/spaces/{id}` without `expand`; `stage` is what the runtime says now. */
export function wholeAnswer(record: SpaceRecord, stage: string | undefined): JsonObject {
  const host = hostOf(record)
  const sdk = record.sdk ?? 'gradio'
  const name = record.id.split('/')[1] ?? record.id
  const card: JsonObject = { title: record.title ?? name, sdk, emoji: record.emoji ?? '🤖' }
  if (record.shortDescription !== undefined) card['short_description'] = record.shortDescription
  const answer: JsonObject = {
    _id: createHash('sha256').update(record.id).digest('hex').slice(0, 24),
    id: record.id,
    author: record.id.split('/')[0] ?? '',
    sha: createHash('sha1').update(record.id).digest('hex'),
    private: record.private ?? false,
    gated: record.gated ?? false,
    disabled: record.disabled === true || record.disabled === 'blocked',
    tags: [sdk, ...(record.tags ?? [])],
    likes: record.likes ?? 0,
    trendingScore: record.trendingScore ?? 0,
    sdk,
    createdAt: '2026-01-12T09:00:00.000Z',
    siblings: [{ rfilename: 'README.md' }, { rfilename: 'app.py' }],
    models: [],
    datasets: [],
  }
  if (record.lastModified !== null) answer['lastModified'] = record.lastModified ?? '2026-10-01T12:00:00.000Z'
  if (record.cardData !== false) answer['cardData'] = card
  if (stage !== undefined) answer['runtime'] = runtimeAnswer(record, stage)
  if (host !== undefined) {
    answer['host'] = host
    answer['subdomain'] = subdomainOf(record)
  }
  return answer
}

export function runtimeAnswer(record: SpaceRecord, stage: string): JsonObject {
  const hardware = record.hardware ?? 'cpu-basic'
  const answer: JsonObject = {
    stage,
    hardware: { current: stage === 'RUNNING' ? hardware : null, requested: hardware },
    storage: null,
    gcTimeout: 172_800,
    replicas: { current: stage === 'RUNNING' ? 1 : 0, requested: 1 },
  }
  if (stage.endsWith('_ERROR')) answer['errorMessage'] = 'Exit code: 1. Reason: the app stopped'
  return answer
}

const ALWAYS = ['_id', 'id']

/** With `expand` the Hub answers the asked fields only; `host`, `gated` and others cannot be asked for. */
const EXPANDABLE = new Set([
  'author',
  'cardData',
  'createdAt',
  'datasets',
  'disabled',
  'lastModified',
  'likes',
  'models',
  'private',
  'runtime',
  'sdk',
  'sha',
  'siblings',
  'subdomain',
  'tags',
  'trendingScore',
  'region',
  'resourceGroup',
  'usedStorage',
  'gitalyUid',
])

/** `null` when a field was asked for that the Hub does not know (it answers 400 then). */
export function expanded(whole: JsonObject, expand: readonly string[]): JsonObject | null {
  if (expand.some((field) => !EXPANDABLE.has(field))) return null
  const wanted = new Set([...ALWAYS, ...expand])
  return Object.fromEntries(Object.entries(whole).filter(([key]) => wanted.has(key)))
}

/** An entry of the semantic search, which has fields of its own. */
export function semanticAnswer(record: SpaceRecord, stage: string | undefined, score: number): JsonObject {
  const whole = wholeAnswer(record, stage)
  return {
    id: record.id,
    author: whole['author'] ?? '',
    title: record.title ?? record.id.split('/')[1] ?? '',
    emoji: record.emoji ?? '🤖',
    sdk: whole['sdk'] ?? 'gradio',
    likes: record.likes ?? 0,
    private: record.private ?? false,
    tags: whole['tags'] ?? [],
    ...(stage === undefined ? {} : { runtime: runtimeAnswer(record, stage) }),
    shortDescription: record.shortDescription ?? '',
    ai_short_description: record.shortDescription ?? '',
    ai_category: 'Robotics',
    semanticRelevancyScore: score,
    trendingScore: record.trendingScore ?? 0,
  }
}
