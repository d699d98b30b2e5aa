import { watchSse } from './sse-watch.ts'
import { HttpFailure, mediaType, StreamLimit } from './wire-failures.ts'

import type { McpLimits } from './limits.ts'
import type { SseWatch } from './sse-watch.ts'
import type { DropReason } from './wire-failures.ts'

type Fetch = typeof globalThis.fetch

export interface GuardOptions {
  readonly fetch: Fetch
  readonly limits: Pick<McpLimits, 'connectMs' | 'idleStreamMs' | 'responseBytes'>
  readonly transport: 'streamable-http' | 'sse'
}

/** Standing GET streams that one connection may open; a server whose stream keeps ending would be asked every second. */
const MAX_STANDING_STREAMS = 4
/** After the answer, so that the socket can be reused when the server ends the stream by itself. */
const LINGER_MS = 1_000

/**
 * A `fetch` for one MCP connection that makes every lost answer a prompt failure. The SDK alone waits for its time-out
 * when the stream of an answer ends early (modelcontextprotocol/typescript-sdk#2739, #1883), and it leaves the stream of
 * a cancelled request open, by which Gradio would run the tool to its end.
 *
 * - The stream of a request that ends, resets, stays silent or grows too large before the answer gets one synthetic
 *   JSON-RPC error, code −32000 with `data.why` ({@link DropReason}). A stream with an event `id:` is left to the SDK,
 *   which resumes it.
 * - A POST of `notifications/cancelled` closes the stream of the request it names, also a resumed one.
 * - A POST answered with a status of 400 or more, or with neither JSON nor events, throws {@link HttpFailure}.
 * - Everything else, redirects included, passes as it is.
 */
export function createGuardedFetch(options: GuardOptions): Fetch {
  /** Requests whose answer is still awaited, by their id as text. */
  const pending = new Map<string, AbortController>()
  const ownerOfEvent = new Map<string, string>()
  let standingStreams = 0
  let followed: AbortSignal | null = null

  const abandon = (key: string): void => {
    pending.get(key)?.abort(new Error('request cancelled'))
    pending.delete(key)
  }
  /**
   * The transport gives the same signal to all its requests and aborts it when it is closed. One listener instead of a
   * combined signal for each request.
   */
  const follow = (signal: AbortSignal | null | undefined): void => {
    if (signal == null || followed === signal) return
    followed = signal
    const abandonAll = (): void => [...pending.keys()].forEach(abandon)
    if (signal.aborted) abandonAll()
    else signal.addEventListener('abort', abandonAll, { once: true })
  }
  const guard = (response: Response, body: ReadableStream<Uint8Array>, key: string, of: GuardedRequest): Response => {
    const { controller, outer, resumed, id } = of
    const aborted = (): boolean => controller.signal.aborted || outer?.aborted === true
    const stream = guardStream(body, {
      limits: options.limits,
      id,
      resumed,
      aborted,
      sawEventId: (eventId) => ownerOfEvent.set(eventId, key),
      ended: (watch) => {
        if (watch.answered || watch.lastEventId === null || aborted()) pending.delete(key)
      },
    })
    return withBody(response, stream)
  }

  const post = async (url: URL | string | Request, init: RequestInit): Promise<Response> => {
    const message = parseMessage(init.body)
    if (message.cancels !== null) abandon(String(message.cancels))
    const id = message.requestId
    if (id === null) {
      return failOnStatus(
        await options.fetch(url, { ...init, signal: withLimit(init.signal, options.limits.connectMs) }),
      )
    }
    const key = String(id)
    const controller = new AbortController()
    pending.set(key, controller)
    follow(init.signal)
    const forget = (): void => {
      if (pending.get(key) === controller) pending.delete(key)
    }
    let kept = false
    try {
      const response = await failOnStatus(await options.fetch(url, { ...init, signal: controller.signal }))
      const type = mediaType(response)
      if (response.status >= 300 || response.status === 202 || options.transport === 'sse') return response
      if (type !== 'application/json' && type !== 'text/event-stream') {
        await response.body?.cancel()
        throw HttpFailure.of(response)
      }
      if (response.body === null) return response
      kept = true
      return type === 'application/json'
        ? capBody(response, response.body, options.limits, forget)
        : guard(response, response.body, key, { id, controller, outer: init.signal ?? undefined, resumed: false })
    } finally {
      if (!kept) forget()
    }
  }

  const get = async (url: URL | string | Request, init: RequestInit): Promise<Response> => {
    const resumeFrom = new Headers(init.headers).get('last-event-id')
    const owner = resumeFrom === null ? undefined : ownerOfEvent.get(resumeFrom)
    if (owner !== undefined) {
      const controller = pending.get(owner)
      if (controller === undefined) return noStream()
      const response = await options.fetch(url, { ...init, signal: anySignal(init.signal, controller.signal) })
      if (!response.ok || response.body === null) return response
      const outer = init.signal ?? undefined
      return guard(response, response.body, owner, { id: Number(owner), controller, outer, resumed: true })
    }
    if (options.transport === 'streamable-http' && ++standingStreams > MAX_STANDING_STREAMS) return noStream()
    const response = await options.fetch(url, init)
    if (!response.ok || response.body === null) return response
    if (mediaType(response) !== 'text/event-stream') {
      await response.body.cancel()
      return options.transport === 'sse' ? new Response(null, { status: 404 }) : noStream()
    }
    const stream = capEvents(response.body, options.limits.responseBytes)
    return new Response(stream, { status: response.status, headers: response.headers })
  }

  return async (url, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase()
    if (method === 'POST') return post(url, init)
    if (method === 'GET') return get(url, init)
    return options.fetch(url, { ...init, signal: withLimit(init.signal, options.limits.connectMs) })
  }
}

/** 405 is how a server says that it offers no GET stream; the SDK takes it as an answer and does not retry. */
const noStream = (): Response => new Response(null, { status: 405 })

/** The same answer with another stream. A new `Response` would read its headers once more, which a short call notices. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  return new Proxy(response, {
    get: (target, key) => (key === 'body' ? body : (Reflect.get(target, key, target) as unknown)),
  })
}

type RequestId = string | number

interface GuardedRequest {
  readonly id: RequestId
  readonly controller: AbortController
  readonly outer: AbortSignal | undefined
  readonly resumed: boolean
}

function parseMessage(body: unknown): { requestId: RequestId | null; cancels: RequestId | null } {
  const message = typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {}
  const isRequest = typeof message.method === 'string' && message.id !== undefined
  const params = message.params as { requestId?: unknown } | undefined
  const cancels = message.method === 'notifications/cancelled' ? idOf(params?.requestId) : null
  return { requestId: isRequest ? idOf(message.id) : null, cancels }
}

const idOf = (id: unknown): RequestId | null => (typeof id === 'string' || typeof id === 'number' ? id : null)

async function failOnStatus(response: Response): Promise<Response> {
  if (response.status >= 400) {
    await response.body?.cancel()
    throw HttpFailure.of(response)
  }
  if (response.status >= 300) {
    await response.body?.cancel()
    return new Response(null, { status: response.status, headers: response.headers })
  }
  return response
}

const anySignal = (outer: AbortSignal | null | undefined, own: AbortSignal): AbortSignal =>
  outer ? AbortSignal.any([outer, own]) : own

const withLimit = (outer: AbortSignal | null | undefined, ms: number): AbortSignal =>
  anySignal(outer, AbortSignal.timeout(ms))

interface StreamGuard {
  readonly limits: GuardOptions['limits']
  readonly id: RequestId
  readonly resumed: boolean
  aborted(): boolean
  sawEventId(id: string): void
  ended(watch: SseWatch): void
}

function guardStream(body: ReadableStream<Uint8Array>, guard: StreamGuard): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const watch = watchSse(guard.id)
  let total = 0
  let lastId: string | null = null
  const resumable = (): boolean => guard.resumed || watch.lastEventId !== null

  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, why: DropReason, cause?: unknown): void => {
    guard.ended(watch)
    if (guard.aborted()) return controller.error(cause ?? new Error('request cancelled'))
    if (!watch.answered) {
      const fatal = why === 'too large' || watch.malformed
      if (!fatal && resumable()) return why === 'eof' ? controller.close() : controller.error(cause ?? new Error(why))
      controller.enqueue(syntheticError(guard.id, watch.malformed ? 'malformed' : why))
    } else {
      // The SDK's parser waits for a line feed after a last carriage return and would keep the answer to itself.
      controller.enqueue(new TextEncoder().encode('\n'))
    }
    controller.close()
  }
  let timer: NodeJS.Timeout | undefined
  let over = false
  /** One timer a stream: a promise and a timer for each chunk cost a tenth of a short call. */
  const expect = (controller: ReadableStreamDefaultController<Uint8Array>, ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => end(controller, 'idle'), ms)
  }
  const end = (controller: ReadableStreamDefaultController<Uint8Array>, why: DropReason, cause?: unknown): void => {
    if (over) return
    over = true
    clearTimeout(timer)
    finish(controller, why, cause)
    // It has ended by itself already unless we gave up on it; then nothing of it is wanted any more.
    reader.cancel().catch(() => undefined)
  }
  const take = (controller: ReadableStreamDefaultController<Uint8Array>, chunk: Uint8Array): void => {
    total += chunk.byteLength
    if (total > guard.limits.responseBytes) return end(controller, 'too large')
    const before = watch.answered
    watch.feed(chunk)
    if (watch.answered && !before) expect(controller, LINGER_MS)
    else timer?.refresh()
    if (watch.lastEventId !== null && watch.lastEventId !== lastId) {
      lastId = watch.lastEventId
      guard.sawEventId(lastId)
    }
    controller.enqueue(chunk)
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => expect(controller, guard.limits.idleStreamMs),
      pull: (controller) =>
        reader.read().then(
          ({ done, value }) => {
            if (over) return
            if (done) end(controller, 'eof')
            else take(controller, value)
          },
          (cause: unknown) => end(controller, 'reset', cause),
        ),
      async cancel(reason) {
        over = true
        clearTimeout(timer)
        guard.ended(watch)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

type Read =
  { state: 'chunk'; chunk: Uint8Array } | { state: 'done' } | { state: 'idle' } | { state: 'failed'; cause: unknown }

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number): Promise<Read> {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<Read>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'idle' }), ms)
  })
  const read = reader.read().then(
    ({ done, value }): Read => (done ? { state: 'done' } : { state: 'chunk', chunk: value }),
    (cause: unknown): Read => ({ state: 'failed', cause }),
  )
  try {
    return await Promise.race([read, idle])
  } finally {
    clearTimeout(timer)
  }
}

/** Begins with an empty line, so that a half event before it is ended first. */
function syntheticError(id: RequestId, why: DropReason): Uint8Array {
  const error = { code: -32000, message: 'connection closed before a response arrived', data: { why } }
  return new TextEncoder().encode(`\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`)
}

/** A JSON body under the same size and idle limits; beyond them the read fails with a {@link StreamLimit}. */
function capBody(
  response: Response,
  body: ReadableStream<Uint8Array>,
  limits: GuardOptions['limits'],
  ended: () => void,
): Response {
  const reader = body.getReader()
  let total = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await readWithin(reader, limits.idleStreamMs)
        total += next.state === 'chunk' ? next.chunk.byteLength : 0
        if (next.state === 'chunk' && total <= limits.responseBytes) return controller.enqueue(next.chunk)
        ended()
        if (next.state === 'done') return controller.close()
        if (next.state === 'failed') return controller.error(new StreamLimit('reset', next.cause))
        controller.error(new StreamLimit(next.state === 'idle' ? 'idle' : 'too large'))
        await reader.cancel()
      },
      async cancel(reason) {
        ended()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { status: response.status, headers: response.headers })
}

/** A standing stream may live for hours: only the size of one event is limited. */
function capEvents(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const watch = watchSse(null)
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        watch.feed(chunk)
        if (watch.openLength > maxBytes) controller.error(new StreamLimit('too large'))
        else controller.enqueue(chunk)
      },
    }),
  )
}
