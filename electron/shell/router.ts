import { CompanionError, ROUTES } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import type { Envelope, Log, RouteName, Routes } from '../contract/index.ts'
import type { Handlers } from './handlers.ts'
import type { z } from 'zod'

/** Who asks, as far as it can be told before anything is read. */
export interface Sender {
  /** Our window, its main frame, a page of ours. */
  readonly trusted: boolean
}

export type Router = (sender: Sender, route: unknown, payload: unknown) => Promise<Envelope<unknown>>

const isRoute = (route: unknown): route is RouteName => typeof route === 'string' && Object.hasOwn(ROUTES, route)

/** Paths of what does not fit, without the values: they may be a key or a long text. */
function complaint(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || 'request'}: ${issue.code}`)
    .join(', ')
}

/**
 * The way of every request: sender, route, schema, handler, envelope. It never rejects; what goes wrong is an answer.
 * The log tells of refusals and of faults of ours, not of failures that the person is told.
 */
export function createRouter(handlers: Handlers, log: Log): Router {
  const call = async <R extends RouteName>(route: R, payload: unknown): Promise<unknown> => {
    const parsed = ROUTES[route].request.safeParse(payload ?? {})
    if (!parsed.success) {
      const reason = complaint(parsed.error)
      log.warn('request refused', { route, reason })
      throw new CompanionError('ipc/invalid', { route, reason })
    }
    return handlers[route](parsed.data as z.output<Routes[R]['request']>)
  }

  return async (sender, route, payload) => {
    try {
      if (!sender.trusted) throw new CompanionError('ipc/forbidden')
      if (!isRoute(route)) throw new CompanionError('ipc/no-route')
      return { ok: true, value: await call(route, payload) }
    } catch (error) {
      const failure = failureOf(error)
      if (failure.code === 'app/internal' || failure.code.startsWith('ipc/'))
        log.error('request failed', { route, error })
      return { ok: false, error: failure }
    }
  }
}
