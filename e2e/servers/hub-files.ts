import { createHash } from 'node:crypto'

import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A text file as the Hub serves it, whole or the range that was asked for (RFC 9110 §14): `downloadFile` of
 * `@huggingface/hub` asks for the first byte to learn size and `ETag`.
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  more: Readonly<Record<string, string>>,
): void {
  const bytes = Buffer.from(text, 'utf8')
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    etag: `"${createHash('sha1').update(bytes).digest('hex')}"`,
    'accept-ranges': 'bytes',
    ...more,
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  if (range === null) return void response.writeHead(200, headers).end(bytes)
  const first = Number(range[1])
  const last = Math.min(range[2] === '' ? Infinity : Number(range[2]), bytes.length - 1)
  if (first > last)
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${bytes.length}` }).end()
  response
    .writeHead(206, { ...headers, 'content-range': `bytes ${first}-${last}/${bytes.length}` })
    .end(bytes.subarray(first, last + 1))
}
