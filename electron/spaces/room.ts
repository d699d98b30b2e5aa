import type { Log, SpacesSnapshot } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Mcp } from '../mcp/index.ts'
import type { Audit, Receipt, Transaction } from '../storage/index.ts'
import type { SpacesState, StateFiles } from './state.ts'
import type { ProfileLines } from './types.ts'
import type { Undo } from './undo.ts'
import type { WakeTimes } from './wake-times.ts'
import type { WakeLimits } from './wake.ts'

/** What the parts of this room share. */
export interface Room {
  readonly hub: Hub
  readonly mcp: Mcp
  readonly profiles: ProfileLines
  readonly fetch: typeof globalThis.fetch
  readonly token: () => Promise<string | null>
  readonly log: Log
  readonly now: () => number
  readonly files: StateFiles
  readonly undos: Undo
  readonly audit: Pick<Audit, 'append'>
  readonly wakeLimits: WakeLimits
  readonly wakeTimes: WakeTimes
  hubIsLoopback(): boolean
  state(): Promise<SpacesState>
  /** Reads, changes and writes under one lock, unless the state is not to be written. */
  change(
    label: string,
    body: (tx: Transaction, before: SpacesState) => Promise<void>,
  ): Promise<{ readonly receipt: Receipt }>
  /** Tells the listeners what is different. */
  announce(): Promise<SpacesSnapshot>
}
