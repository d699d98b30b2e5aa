import type {
  Envelope,
  EventName,
  EventPayload,
  Failure,
  RouteName,
  RouteRequest,
  RouteResponse,
  Unsubscribe,
} from '../../electron/contract/index.ts'

/** A failed request, as an exception. `failure` is what the main process said; screens show it by its code. */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}

/** Turns anything thrown into a failure that can be shown; what is not known becomes `app/internal`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error.failure
  return { code: 'app/internal', message: error instanceof Error ? error.message : String(error) }
}

/** Asks the main process and answers its envelope; never rejects. */
export async function attempt<R extends RouteName>(
  route: R,
  payload: RouteRequest<R>,
): Promise<Envelope<RouteResponse<R>>> {
  const bridge = window.companion
  if (!bridge) {
    return { ok: false, error: { code: 'app/internal', message: 'The page was opened outside the app.' } }
  }
  try {
    return await bridge.request(route, payload)
  } catch (error) {
    return { ok: false, error: failureOf(error) }
  }
}

/** Asks the main process. @throws RequestError with the failure that it answered. */
export async function request<R extends RouteName>(route: R, payload: RouteRequest<R>): Promise<RouteResponse<R>> {
  const envelope = await attempt(route, payload)
  if (!envelope.ok) throw new RequestError(envelope.error)
  return envelope.value
}

/** Listens to one event of the main process until the returned function is called. */
export function subscribe<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): Unsubscribe {
  return window.companion?.on(event, listener) ?? (() => undefined)
}
