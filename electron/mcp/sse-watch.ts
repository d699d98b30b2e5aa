/** What a stream of server-sent events has said so far about one JSON-RPC request. */
export interface SseWatch {
  feed(chunk: Uint8Array): void
  /** A well-formed answer to the request was complete. */
  readonly answered: boolean
  /** An event with the request's id came that is no valid answer, so the SDK drops it. */
  readonly malformed: boolean
  /** Last `id:` seen: the stream can be resumed with it (`Last-Event-ID`). */
  readonly lastEventId: string | null
  /** Characters of the event that has not ended yet. */
  readonly openLength: number
}

/** Above this, an event is looked at by its ends only: parsing a 20 MB picture twice would double the time of the call. */
const PARSE_LIMIT = 256 * 1024

/**
 * Follows an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream):
 * lines end with CRLF, LF or CR, also split over chunks, as may be the bytes of one character.
 *
 * @param requestId the id whose answer is awaited; `null` only measures
 */
export function watchSse(requestId: string | number | null): SseWatch {
  const decoder = new TextDecoder('utf-8')
  let line = ''
  let skipLineFeed = false
  let data: string[] = []
  let event = ''
  let dataLength = 0
  const state = { answered: false, malformed: false, lastEventId: null as string | null }

  const endEvent = (): void => {
    if (requestId !== null && data.length > 0 && (event === '' || event === 'message')) {
      const verdict = judgeAnswer(data.join('\n'), requestId)
      if (verdict === 'answer') state.answered = true
      if (verdict === 'malformed') state.malformed = true
    }
    data = []
    event = ''
    dataLength = 0
  }
  const endLine = (): void => {
    const text = line
    line = ''
    if (text === '') return endEvent()
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      data.push(value)
      dataLength += value.length
    } else if (field === 'event') event = value
    else if (field === 'id' && value !== '') state.lastEventId = value
  }
  const take = (text: string): void => {
    let start = 0
    if (skipLineFeed && text.startsWith('\n')) start = 1
    if (text !== '') skipLineFeed = false
    const ends = /\r\n|\n|\r/g
    ends.lastIndex = start
    for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
      line += text.slice(start, match.index)
      start = match.index + match[0].length
      endLine()
    }
    line += text.slice(start)
    if (text.endsWith('\r')) skipLineFeed = true
  }

  return {
    feed(chunk) {
      take(decoder.decode(chunk, { stream: true }))
    },
    get answered() {
      return state.answered
    },
    get malformed() {
      return state.malformed
    },
    get lastEventId() {
      return state.lastEventId
    },
    get openLength() {
      return line.length + dataLength
    },
  }
}

/** The envelope rules are those of the SDK's `JSONRPCMessageSchema`: what breaks them never reaches the caller. */
function judgeAnswer(text: string, requestId: string | number): 'answer' | 'malformed' | 'other' {
  if (text.length > PARSE_LIMIT) {
    const id = new RegExp(`"id"\\s*:\\s*"?${requestId}"?\\s*[,}]`)
    return id.test(text.slice(0, 200)) || id.test(text.slice(-200)) ? 'answer' : 'other'
  }
  const message = parseJson(text)
  if (!isRecord(message) || 'method' in message || String(message.id) !== String(requestId)) return 'other'
  if (message.jsonrpc !== '2.0') return 'malformed'
  if (isRecord(message.result)) {
    const meta = message.result._meta
    return meta === undefined || isRecord(meta) ? 'answer' : 'malformed'
  }
  const error = message.error
  return isRecord(error) && Number.isInteger(error.code) && typeof error.message === 'string' ? 'answer' : 'malformed'
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `undefined` for a line that is not JSON: a broken line before a good one is no failure of the stream. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
