import { plainText } from '../../mcp/index.ts'
import { ROBOT_TOOLS, warningsFor } from '../warnings.ts'

import { parseAddress } from './address.ts'
import { entriesOf } from './file.ts'
import { isUndecided, pinOf, withheld } from './pins.ts'
import { pinsOf, problemOf } from './state.ts'

import type {
  InstalledServer,
  Problem,
  RemoteTool,
  ReviewTool,
  ServersSnapshot,
  ServerTarget,
} from '../../contract/index.ts'
import type { ManifestTool } from '../manifest.ts'
import type { ServerEntry } from './file.ts'
import type { OtherTool, ServerPins, ToolPin } from './pins.ts'
import type { ServersState } from './state.ts'

/** What a snapshot shows beside the files. */
export interface Beside {
  readonly path: string
  readonly version: number
  readonly aliases: readonly string[]
  readonly hasToken: (name: string) => boolean
  readonly check: (name: string) => InstalledServer['check']
  /** Profiles whose tools.txt names an ID. */
  readonly enabledIn: (id: string) => string[]
}

/** Everything a screen shows. Remote texts without control characters. */
export function snapshotOf(state: ServersState, beside: Beside): ServersSnapshot {
  const bad = state.items.flatMap((item) =>
    'bad' in item ? [{ entry: item.bad.label, problem: item.bad.problem }] : [],
  )
  const own =
    state.readOnly === null
      ? []
      : [{ entry: String(state.readOnly.details?.file ?? beside.path), problem: state.readOnly }]
  return {
    version: beside.version,
    path: beside.path,
    readOnly: state.readOnly !== null,
    servers: entriesOf(state.items).map((entry) => installedServer(entry, state, beside)),
    problems: [...own, ...bad, ...state.notes].map(({ entry, problem }) => ({ entry: plainText(entry, 200), problem })),
  }
}

export function installedServer(entry: ServerEntry, state: ServersState, beside: Beside): InstalledServer {
  const pins = pinsOf(state, entry.name)
  const problem = problemOf(entry, state, beside.aliases)
  const check = beside.check(entry.name)
  const review = reviewOf(entry, pins, beside)
  return {
    name: entry.name,
    target: entry.target,
    hasToken: beside.hasToken(entry.name),
    plainHttp: isPlainHttp(entry.target),
    tools: [...entry.tools.map((tool) => shown(tool, problem ?? withheld(tool, pins))), ...othersOf(entry, pins)],
    ...(problem === undefined ? {} : { problem }),
    ...(review === undefined ? {} : { review }),
    ...(check === undefined ? {} : { check }),
  }
}

/** What is sent can be read on the way. Loopback never leaves this computer. */
export function isPlainHttp(target: ServerTarget): boolean {
  if (target.kind === 'stdio' || !URL.canParse(target.url)) return false
  const { protocol, hostname } = new URL(target.url)
  return protocol === 'http:' && !/^(?:localhost|(?:.+\.)?localhost|127\..+|\[::1\])$/.test(hostname)
}

/** Whether a token may go there only after a person allowed it: every address without encryption. */
export const needsOptIn = (url: string): boolean => parseAddress(url).plainHttp

function shown({ id, remoteName, description }: ManifestTool, problem: Problem | undefined): RemoteTool {
  const tool = { id, remoteName: plainText(remoteName, 200), description: plainText(description, 4_000) }
  return problem === undefined ? { ...tool, status: 'usable' } : { ...tool, status: 'rejected', problem }
}

function othersOf(entry: ServerEntry, pins: ServerPins | undefined): RemoteTool[] {
  return [...(pins?.rejected ?? []), ...(pins?.gone ?? [])]
    .filter(({ id }) => id === null || !entry.tools.some((tool) => tool.id === id))
    .map(({ id, remoteName, description, problem }: OtherTool) => ({
      id,
      remoteName,
      description,
      status: 'rejected' as const,
      problem,
    }))
}

/** What differs from what was approved, with both texts. */
function reviewOf(entry: ServerEntry, pins: ServerPins | undefined, beside: Beside): InstalledServer['review'] {
  if (pins === undefined) return undefined
  const open = entry.tools.filter((tool) => isUndecided(tool, pins))
  const gone = pins.gone.filter(({ id, seen }) => id !== null && seen !== true)
  if (open.length + gone.length === 0) return undefined
  const wasApproved = ({ remoteName }: ManifestTool): boolean => hasHistory(pinOf(pins, remoteName))
  return {
    changed: open.filter(wasApproved).map(({ id }) => id),
    added: open.filter((tool) => !wasApproved(tool)).map(({ id }) => id),
    gone: gone.flatMap(({ id }) => (id === null ? [] : [id])),
    since: Date.parse(pins.since ?? pins.approvedAt) || 0,
    tools: [
      ...open.map((tool) => reviewTool(tool, pins, beside)),
      ...gone.map((tool): ReviewTool => ({
        id: tool.id ?? '',
        remoteName: tool.remoteName,
        kind: 'gone',
        before: { description: tool.description, parameters: {} },
        warnings: [],
        otherTools: [],
        enabledIn: beside.enabledIn(tool.id ?? ''),
      })),
    ],
  }
}

const hasHistory = (pin: ToolPin | undefined): boolean =>
  pin !== undefined && (pin.approved !== '' || pin.texts !== null)

function reviewTool(tool: ManifestTool, pins: ServerPins, beside: Beside): ReviewTool {
  const { id, remoteName, description, parameters } = tool
  const pin = pinOf(pins, remoteName)
  const texts = pin?.texts ?? null
  return {
    id,
    remoteName: plainText(remoteName, 200),
    kind: hasHistory(pin) ? 'changed' : 'added',
    ...(texts === null ? {} : { before: { ...texts, description: plainText(texts.description, 20_000) } }),
    after: { description: plainText(description, 20_000), parameters },
    warnings: warningsFor(description, JSON.stringify(parameters), ROBOT_TOOLS),
    otherTools: [],
    enabledIn: beside.enabledIn(id),
  }
}
