import { createHash } from 'node:crypto'

import { sendJson } from './http.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface SpaceFiles {
  /** Set by the server. */
  origin: string
  /** Keeps a file and returns the address that a tool would answer with. */
  add(name: string, mimeType: string, bytes: Uint8Array): string
  /** Names and sizes of what was uploaded. */
  readonly uploads: ReadonlyArray<{ name: string; bytes: number }>
  /** Answers `/gradio_api/file=…` and `/gradio_api/upload`. @returns whether the path was one of them. */
  answer(url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<boolean>
}

const FILE = '/gradio_api/file='

/** Gradio's file routes: an absolute path on the server behind `file=`, 403 for anything it did not make itself. */
export function createFiles(): SpaceFiles {
  const kept = new Map<string, { mimeType: string; bytes: Uint8Array }>()
  const uploads: { name: string; bytes: number }[] = []

  function keep(name: string, mimeType: string, bytes: Uint8Array): string {
    const path = `/srv/gradio/${createHash('sha256').update(bytes).digest('hex')}/${name}`
    kept.set(path, { mimeType, bytes })
    return path
  }

  return {
    origin: '',
    uploads,
    add(name, mimeType, bytes) {
      return `${this.origin}${FILE}${keep(name, mimeType, bytes)}`
    },
    async answer(url, request, response, body) {
      if (url.pathname.startsWith(FILE)) {
        const file = kept.get(decodeURIComponent(url.pathname.slice(FILE.length)))
        if (file === undefined) sendJson(response, 403, { detail: 'File not allowed.' })
        else
          response
            .writeHead(200, { 'content-type': file.mimeType, 'content-length': file.bytes.length })
            .end(file.bytes)
        return true
      }
      if (url.pathname !== '/gradio_api/upload' || request.method !== 'POST') return false
      const form = await new Request('http://127.0.0.1/', {
        method: 'POST',
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        body: new Uint8Array(body),
      }).formData()
      const files = form.getAll('files').filter((part) => typeof part !== 'string')
      const paths = await Promise.all(
        files.map(async (file) => {
          const bytes = new Uint8Array(await file.arrayBuffer())
          uploads.push({ name: file.name, bytes: bytes.length })
          return keep(file.name, file.type, bytes)
        }),
      )
      sendJson(response, 200, paths)
      return true
    },
  }
}
