import type { JsonObject } from '../../electron/contract/index.ts'
import type { Faults } from './space-faults.ts'
import type { SpaceFiles } from './space-files.ts'
import type { SpaceTool } from './space-tools.ts'
import type { Channel, Streams } from './space-wire.ts'

export interface SpaceCall {
  readonly name: string
  readonly args: JsonObject
  /** The headers of the request that carried it. */
  readonly headers: Readonly<Record<string, string>>
  /** `performance.now()`, ms. */
  readonly startedAt: number
  /** Absent while it runs. */
  endedAt?: number
  /** The caller closed the stream before the tool ended. */
  cancelled: boolean
  isError?: boolean
}

export interface SpaceOptions {
  /** `space_id` of `/config`. */
  id?: string
  title?: string
  /** Default: the tools of the captured Gradio app, answering as captured. */
  tools?: SpaceTool[]
  /** Tools a page of `tools/list`; default all. */
  pageSize?: number
  /** Without `X-HF-Authorization: Bearer <token>` everything is 401. */
  token?: string
  /** Keep-alive comments, ms; Gradio's 15 000 unless told otherwise. */
  pingMs?: number
  port?: number
}

/** What the routes of one stand-in Space share. */
export interface State {
  readonly options: SpaceOptions
  readonly tools: SpaceTool[]
  readonly faults: Faults
  readonly streams: Streams
  readonly calls: SpaceCall[]
  readonly methods: string[]
  readonly files: SpaceFiles
  readonly sessions: Map<string, Channel>
  crashed: boolean
  /** `performance.now()` of the first visit while asleep. */
  visitedAt: number | null
  url: string
}

export function oldVersion(faults: Faults): number[] | null {
  if (!faults.on('oldGradio')) return null
  return faults.text('oldGradio', '6.22').split('.').map(Number)
}

/** Whether the switched Gradio version is older than `major.minor`. */
export function olderThan(faults: Faults, major: number, minor: number): boolean {
  const version = oldVersion(faults)
  if (version === null) return false
  const [a = 0, b = 0] = version
  return a < major || (a === major && b < minor)
}
