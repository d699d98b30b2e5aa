import { CompanionError } from '../contract/index.ts'

import { messageIn, providerError } from './said.ts'

interface WatchOptions {
  /** Milliseconds without a byte. */
  readonly idleLimit: number
  /** The key of the request. */
  readonly secret: string
  readonly onFailure: (error: CompanionError) => CompanionError
  /** The person stopped: no failure then. */
  readonly aborted: () => boolean
}

/** Longest line of an event stream, in characters. */
const MAX_LINE = 8_000_000

/**
 * Watches the event stream of a completion (server-sent events, one JSON document a `data:` line). A stream that ends
 * without a finish reason and without `[DONE]` was cut, whatever the transport says of it. Arguments that arrive as an
 * object instead of its JSON text (older Ollama, some proxies) are written as text, as the API has it.
 */
export function createStreamWatch(
  options: WatchOptions,
): (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array> {
  return (body) => {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const encoder = new TextEncoder()
    let rest = ''
    let finished = false
    const dropped = (cause?: unknown): CompanionError =>
      options.onFailure(new CompanionError('provider/dropped', {}, { cause }))

    const readLine = (line: string): string => {
      if (!line.startsWith('data:')) return line
      const data = line.slice(5).trim()
      if (data === '[DONE]' || /"finish_reason"\s*:\s*"/.test(data)) finished = true
      else if (data.startsWith('{') && data.includes('"error"') && !data.includes('"choices"')) {
        finished = true
        const cause = new Error(data.slice(0, 500))
        options.onFailure(providerError(statusIn(data), { said: messageIn(data), secret: options.secret, cause }))
      }
      return /"arguments"\s*:\s*\{/.test(data) ? `data: ${argumentsAsText(data)}` : line
    }

    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await withLimit(reader, options.idleLimit)
          if (done) {
            if (rest !== '') controller.enqueue(encoder.encode(readLine(rest)))
            if (finished || options.aborted()) controller.close()
            else controller.error(dropped())
            return
          }
          const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
          rest = lines.pop() ?? ''
          if (rest.length > MAX_LINE) throw new Error('a line of the stream is too long')
          // An empty chunk would end the pull without anything to read.
          controller.enqueue(encoder.encode(lines.length === 0 ? '' : `${lines.map(readLine).join('\n')}\n`))
        } catch (error) {
          void reader.cancel(error).catch(() => undefined)
          controller.error(options.aborted() ? error : dropped(error))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }
}

async function withLimit(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number) {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`silent for ${limit} ms`)), limit)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** The code of an error event, where it is a number; else a word for the message. */
function statusIn(data: string): number | string {
  const match = /"(?:code|status)"\s*:\s*"?(\d{3})\b/.exec(data)
  return match ? Number(match[1]) : 'in the stream'
}

function argumentsAsText(data: string): string {
  try {
    const chunk = JSON.parse(data) as {
      choices?: Array<{ delta?: { tool_calls?: Array<{ function?: { arguments?: unknown } }> } }>
    }
    for (const call of chunk.choices?.[0]?.delta?.tool_calls ?? []) {
      if (typeof call.function?.arguments === 'object' && call.function.arguments !== null) {
        call.function.arguments = JSON.stringify(call.function.arguments)
      }
    }
    return JSON.stringify(chunk)
  } catch {
    // Not JSON: the reader of the stream reports it.
    return data
  }
}
