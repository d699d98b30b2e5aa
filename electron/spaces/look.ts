import { CompanionError } from '../contract/index.ts'

import { judgeListing, requireUsable } from './judge.ts'
import { replaceEntry } from './merge.ts'
import { sameSlug } from './operations.ts'
import { isOfficial } from './seeds.ts'
import { settleListing } from './settle.ts'
import { pinsOf, writeState } from './state.ts'

import type { InstallResult } from '../contract/index.ts'
import type { ListedTool } from '../mcp/index.ts'
import type { SpacePins } from './pins.ts'
import type { Room } from './room.ts'
import type { SpacesState } from './state.ts'

export interface Look {
  readonly tools: readonly ListedTool[]
  /** Whether differences are written; else they are only told. */
  readonly write: boolean
  /** Address and visibility as the Hub tells them; absent: as installed. */
  readonly place?: { readonly mcpUrl: string; readonly private: boolean }
  readonly about?: Pick<SpacePins, 'title' | 'emoji' | 'gradio'>
  readonly endpointNames?: ReadonlyMap<string, string>
}

export interface Looked {
  readonly differs: boolean
  readonly changes: InstallResult['changes']
}

/**
 * Settles what an installed Space lists now with what was approved. When nothing differs nothing is written.
 *
 * @throws CompanionError `space/not-installed`, `space/no-tools`; what writing throws
 */
export async function lookAt(room: Room, slug: string, look: Look): Promise<Looked> {
  const first = settleIn(room, await room.state(), slug, look)
  if (!look.write || !first.differs) return first
  const outcome = { looked: first as Looked }
  await room.change(`look at ${slug}`, async (tx, before) => {
    const settled = settleIn(room, before, slug, look)
    outcome.looked = settled
    if (!settled.differs) return
    const next = replaceEntry(before, slug, settled)
    writeState(tx, room.files, before, { ...next, settled: ({ label }) => sameSlug(label, slug) }, room.now())
  })
  const { changes } = outcome.looked
  const toolIds = [...changes.changed, ...changes.added, ...changes.removed]
  if (toolIds.length > 0) room.audit.append({ kind: 'pins', origin: slug, change: 'changed', toolIds })
  return outcome.looked
}

function settleIn(room: Room, state: SpacesState, slug: string, look: Look): ReturnType<typeof settleListing> {
  const before = state.entries.find((entry) => sameSlug(entry.slug, slug))
  if (before === undefined) throw new CompanionError('space/not-installed', { slug })
  const pins = pinsOf(state, before.slug)
  const tools = judgeListing(before.slug, look.tools, before, pins)
  // An empty list is a Space in trouble more often than one that gave up all its tools.
  requireUsable(before.slug, tools)
  return settleListing({
    slug: before.slug,
    official: isOfficial(before.slug),
    mcpUrl: look.place?.mcpUrl ?? before.mcpUrl,
    private: look.place?.private ?? before.private ?? false,
    tools,
    before,
    pins,
    seen: false,
    acceptChanges: false,
    consented: new Set(),
    date: new Date(room.now()).toISOString(),
    ...(look.about === undefined ? {} : { about: look.about }),
    ...(look.endpointNames === undefined ? {} : { endpointNames: look.endpointNames }),
  })
}
