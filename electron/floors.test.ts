import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** A room imports only from floors below its own. `type` imports count too. */
const FLOORS: readonly (readonly string[])[] = [
  ['contract', 'strings', 'data-directory.ts', 'app-socket.ts'],
  ['failure.ts', 'storage', 'hub', 'mcp'],
  ['robot', 'spaces', 'profiles'],
  ['tools'],
  ['chat', 'lerobot'],
  ['voice'],
  ['companion.ts'],
  ['cli.ts', 'cli', 'shell'],
  ['main.ts', 'preload.ts'],
]

function floorOf(room: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room))
  if (floor < 0) throw new Error(`no floor for electron/${room}`)
  return floor
}

function sources(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const file = path.join(dir, name)
    if (statSync(file).isDirectory()) return sources(file)
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [file] : []
  })
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
}

/** The first path segment below `electron/`, or `null` outside of it. */
function roomOf(file: string): string | null {
  const relative = path.relative(path.join(root, 'electron'), file)
  return relative.startsWith('..') ? null : (relative.split(path.sep)[0] ?? null)
}

interface Edge {
  from: string
  to: string
  specifier: string
}

const electronFiles = sources(path.join(root, 'electron'))
const edges: Edge[] = electronFiles.flatMap((file) =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: file, to: path.resolve(path.dirname(file), specifier), specifier })),
)

const show = (file: string): string => path.relative(root, file)

describe('floors', () => {
  it('knows every room', () => {
    for (const file of electronFiles) expect(() => floorOf(roomOf(file) ?? '')).not.toThrow()
  })

  it('imports only go down', () => {
    const wrong = edges.filter(({ from, to }) => {
      const a = roomOf(from) ?? ''
      const b = roomOf(to)
      if (b === null) return true
      if (a === b || (a === 'cli.ts' && b === 'cli')) return false
      return floorOf(b) >= floorOf(a)
    })
    expect(wrong.map(({ from, to }) => `${show(from)} → ${show(to)}`)).toEqual([])
  })

  it('another room is entered by its face only', () => {
    const wrong = edges.filter(({ from, to }) => {
      const room = roomOf(to)
      if (
        room === null ||
        room === roomOf(from) ||
        roomOf(from) === 'cli.ts' ||
        room === 'strings' ||
        room === 'contract'
      )
        return false
      const face = path.join(root, 'electron', room)
      return to !== face && to !== path.join(face, 'index.ts')
    })
    expect(
      wrong.filter(({ to }) => !/\.ts$/.test(roomOf(to) ?? '')).map(({ from, to }) => `${show(from)} → ${show(to)}`),
    ).toEqual([])
  })

  it('electron is imported by main.ts, preload.ts and shell/ only', () => {
    const wrong = electronFiles.filter(
      (file) =>
        importsOf(file).includes('electron') && !['main.ts', 'preload.ts', 'shell'].includes(roomOf(file) ?? ''),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('the MCP SDK is imported by mcp/ only, the Hub library by hub/ only', () => {
    const wrong = electronFiles.filter((file) =>
      importsOf(file).some(
        (specifier) =>
          (specifier.startsWith('@modelcontextprotocol/') && roomOf(file) !== 'mcp') ||
          (specifier === '@huggingface/hub' && roomOf(file) !== 'hub'),
      ),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('contract imports only zod, strings imports nothing', () => {
    const wrong = electronFiles.filter((file) => {
      const outside = importsOf(file).filter((specifier) => !specifier.startsWith('.'))
      if (roomOf(file) === 'contract') return outside.some((specifier) => specifier !== 'zod')
      return roomOf(file) === 'strings' && outside.length > 0
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('the renderer enters electron/ through contract and strings only', () => {
    const wrong = sources(path.join(root, 'renderer')).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => roomOf(path.resolve(path.dirname(file), specifier)))
        .filter((room) => room !== null && room !== 'contract' && room !== 'strings')
        .map((room) => `${show(file)} → electron/${room}`),
    )
    expect(wrong).toEqual([])
  })

  it('the page takes no schema along: zod probes `new Function`, which its content security policy forbids', () => {
    const wrong = sources(path.join(root, 'renderer')).filter((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import (?!type)[^;]*?from '([^']+)'/gms)].some(
        ([, specifier]) =>
          specifier?.includes('electron/contract/') === true && !specifier.endsWith('contract/constants.ts'),
      ),
    )
    expect(wrong.map(show)).toEqual([])
  })
})
