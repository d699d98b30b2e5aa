import { Buffer } from 'node:buffer'

import type { Use } from './session.ts'

/** More of a README is not read: nobody reads it either. */
export const README_BYTES = 256 * 1024

/**
 * README.md of a Space on its main branch, by the address that `downloadFile` of `@huggingface/hub` uses for `raw` files;
 * the library itself would ask twice. At most {@link README_BYTES} of it.
 *
 * @returns `null` when the Space has none
 * @throws Error for other statuses; the trace tells which.
 */
export async function readReadme(slug: string, use: Use): Promise<string | null> {
  const response = await use.fetch(`${use.base}/spaces/${slug}/raw/main/README.md`, {
    headers: {
      accept: 'text/plain',
      ...(use.accessToken === undefined ? {} : { authorization: `Bearer ${use.accessToken}` }),
    },
  })
  if (response.ok) return readText(response.body)
  await response.body?.cancel()
  if (response.status === 404 && response.headers.get('x-error-code') === 'EntryNotFound') return null
  throw new Error(`status ${response.status}`)
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  while (length < README_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  if (length < README_BYTES) return Buffer.concat(chunks).toString('utf8')
  await reader.cancel()
  // A character that the limit halves is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(Buffer.concat(chunks).subarray(0, README_BYTES), { stream: true })
}
