import { createHash } from 'node:crypto'

import { sendJson } from './http.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface SpaceFiles {
  /** Set by the server. */
  origin: string
  /** Keeps a file and returns the address that a tool would answer with. */
  add(name: string, mimeType: string, bytes: Uint8Array): string
  /** The address of a file that is answered with a redirect to `to`. */
  addRedirect(name: string, to: string): string
  /** The address of a file that was there once: 403. */
  gone(name: string): string
  /** Names and sizes of what was uploaded. */
  readonly uploads: ReadonlyArray<{ name: string; bytes: number }>
  /** Answers `/gradio_api/file=…` and `/gradio_api/upload`. @returns whether the path was one of them. */
  answer(url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<boolean>
}

const FILE = '/gradio_api/file='

/** Gradio's file routes: an absolute path on the server behind `file=`, 403 for anything it did not make itself. */
export function createFiles(): SpaceFiles {
  const kept = new Map<string, { mimeType: string; bytes: Uint8Array }>()
  const redirects = new Map<string, string>()
  const uploads: { name: string; bytes: number }[] = []

  const pathOf = (name: string, of: string | Uint8Array): string =>
    `/srv/gradio/${createHash('sha256').update(of).digest('hex')}/${name}`

  function keep(name: string, mimeType: string, bytes: Uint8Array): string {
    const path = pathOf(name, bytes)
    kept.set(path, { mimeType, bytes })
    return path
  }

  return {
    origin: '',
    uploads,
    add(name, mimeType, bytes) {
      return `${this.origin}${FILE}${keep(name, mimeType, bytes)}`
    },
    addRedirect(name, to) {
      const path = pathOf(name, to)
      redirects.set(path, to)
      return `${this.origin}${FILE}${path}`
    },
    gone(name) {
      return `${this.origin}${FILE}${pathOf(name, name)}`
    },
    async answer(url, request, response, body) {
      if (url.pathname.startsWith(FILE)) {
        const path = decodeURIComponent(url.pathname.slice(FILE.length))
        const file = kept.get(path)
        const to = redirects.get(path)
        if (to !== undefined) response.writeHead(302, { location: to, 'content-length': '0' }).end()
        else if (file === undefined) sendJson(response, 403, { detail: 'File not allowed.' })
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
