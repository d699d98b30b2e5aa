import type { Failure } from './errors.ts'
import type { EventName, EventPayload, RouteName, RouteRequest, RouteResponse } from './routes.ts'

export type Envelope<T> = { ok: true; value: T } | { ok: false; error: Failure }

/** What the preload puts on `window.companion`. */
export interface CompanionBridge {
  request<R extends RouteName>(route: R, payload: RouteRequest<R>): Promise<Envelope<RouteResponse<R>>>
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
}
