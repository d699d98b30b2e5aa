import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type {
  EventName,
  EventPayload,
  Failure,
  RouteName,
  RouteRequest,
  RouteResponse,
  Unsubscribe,
} from '../../electron/contract/index.ts'
import type { StoreApi, UseBoundStore } from 'zustand'

interface Versioned {
  version: number
}

export interface SnapshotState<T> {
  /** The last snapshot; `null` until the first one has come. */
  snapshot: T | null
  /** Why it could not be read. An older snapshot stays. */
  failure: Failure | null
  loading: boolean
  /** Reads it again. Never rejects. */
  load: () => Promise<void>
  /** Takes a snapshot that came as the answer of another route; an older version than the one held is ignored. */
  accept: (snapshot: T) => void
}

export interface SnapshotStore<T> {
  use: UseBoundStore<StoreApi<SnapshotState<T>>>
  /** Follows the event until the returned function is called. */
  follow: () => Unsubscribe
}

/** Whether `next` may replace `held`: versions only grow within one run of the main process. */
export function isNewer(held: Versioned | null, next: Versioned): boolean {
  return held === null || next.version >= held.version
}

/** A store that holds the last snapshot of one concern: read by a route, kept up to date by an event. */
export function snapshotStore<
  R extends RouteName,
  E extends EventName,
  T extends RouteResponse<R> & EventPayload<E> & Versioned,
>(route: R, payload: RouteRequest<R>, event: E): SnapshotStore<T> {
  const use = create<SnapshotState<T>>((set, get) => ({
    snapshot: null,
    failure: null,
    loading: false,
    load: async () => {
      set({ loading: true })
      const answer = await attempt(route, payload)
      if (answer.ok) {
        get().accept(answer.value as T)
        set({ failure: null, loading: false })
      } else {
        set({ failure: answer.error, loading: false })
      }
    },
    accept: (snapshot) => {
      if (isNewer(get().snapshot, snapshot)) set({ snapshot })
    },
  }))
  return { use, follow: () => subscribe(event, (snapshot) => use.getState().accept(snapshot as T)) }
}
