import { plainText } from '../mcp/index.ts'

import { differencesOf, timeOf } from './differences.ts'
import { moveOf } from './pins.ts'
import { isOfficial } from './seeds.ts'
import { otherToolsIn, ROBOT_TOOLS, warningsFor } from './warnings.ts'

import type { JsonObject, ReviewTool, SpaceReview } from '../contract/index.ts'
import type { Difference } from './differences.ts'
import type { ManifestEntry } from './manifest.ts'
import type { SpacePins } from './pins.ts'

export interface ReviewParts {
  /** Names of the tools of other Spaces. */
  readonly others: readonly string[]
  /** IDs by profile, of those that belong to this Space. */
  readonly uses: Readonly<Record<string, readonly string[]>>
}

/** Everything that differs from what was approved, decided or not, for a person to look at. Remote texts are untrusted. */
export function reviewOf(entry: ManifestEntry, pins: SpacePins | undefined, parts: ReviewParts): SpaceReview {
  const move = moveOf(entry, pins)
  const differences = differencesOf(entry, pins)
  const approvedAt = timeOf(pins?.approvedAt ?? '')
  const seen = [...differences.map(({ seenAt }) => timeOf(seenAt)), timeOf(move?.seenAt ?? '')].filter(
    (time) => time !== null,
  )
  const before = pins?.mcpUrl ?? entry.mcpUrl
  const renamed = move?.slug === undefined ? null : { before: entry.slug, after: move.slug }
  const address = move === null || move.mcpUrl === before ? renamed : { before, after: move.mcpUrl }
  const visibility = pins?.private ?? entry.private ?? false
  return {
    slug: entry.slug,
    title: pins?.title ?? entry.slug,
    ...(pins?.emoji === undefined ? {} : { emoji: pins.emoji }),
    official: isOfficial(entry.slug),
    approvedAt,
    changedAt: seen.length > 0 ? Math.min(...seen) : (approvedAt ?? 0),
    ...(address === null ? {} : { address }),
    ...(move === null || move.private === visibility ? {} : { nowPrivate: move.private }),
    ...(move?.slug === undefined ? {} : { movedTo: move.slug }),
    tools: differences.map((difference) => reviewTool(difference, parts)),
  }
}

function reviewTool(difference: Difference, { others, uses }: ReviewParts): ReviewTool {
  const { kind, id, remoteName, former, before, after } = difference
  const schema = JSON.stringify(after?.parameters ?? {})
  const names = [...ROBOT_TOOLS, ...others]
  const ids = former === undefined ? [id] : [id, former.id]
  return {
    id,
    remoteName: plainText(remoteName, 200),
    kind,
    ...(former === undefined ? {} : { formerId: former.id }),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
    warnings: after === undefined ? [] : warningsFor(after.description, schema, names),
    otherTools: after === undefined ? [] : otherToolsIn(`${after.description}\n${schema}`, names),
    enabledIn: Object.entries(uses).flatMap(([profile, listed]) =>
      listed.some((one) => ids.includes(one)) ? [profile] : [],
    ),
  }
}

/** The raw words, invisible characters included: they are marked, not hidden. */
const shown = (texts: {
  readonly description: string
  readonly parameters: JsonObject
}): NonNullable<ReviewTool['after']> => ({
  description: plainText(texts.description, 20_000),
  parameters: texts.parameters,
})
