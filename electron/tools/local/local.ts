import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'
import { plainText } from '../../mcp/index.ts'

import { createAllowedFiles } from './allowed.ts'
import { createDiscovery } from './discover.ts'
import { toolEnvironment } from './environment.ts'
import { LOCAL_LIMITS } from './limits.ts'
import { createLogRing } from './log-ring.ts'
import { findPython, startPython } from './python.ts'
import { createSession } from './session.ts'
import { stripTypes } from './strip-types.ts'
import { EXTENSIONS, templateOf } from './templates.ts'

import type { Allowed } from './allowed.ts'
import type { FoundFile } from './discover.ts'
import type { LogRing } from './log-ring.ts'
import type { Python } from './python.ts'
import type { Session } from './session.ts'
import type { LocalTool, LocalTools, LocalToolsDeps, ToolProcess } from './types.ts'

/** Characters of a file that a person is shown; longer ones are cut with a word about it. */
const SHOWN_CHARACTERS = 200_000
/** Names that a new file may have: a line of tools.txt, and a Python module. */
const NEW_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

interface Held {
  readonly session: Session
  readonly ring: LogRing
  /** Of the bytes that it runs. */
  readonly sha256: string
}

/** See {@link LocalTools}. */
export function createLocalTools(deps: LocalToolsDeps): LocalTools {
  const { storage, log } = deps
  const limits = { ...LOCAL_LIMITS, ...deps.limits }
  const discovery = createDiscovery(limits.fileBytes)
  const allowed = createAllowedFiles(storage, log)
  const rings = new Map<string, LogRing>()
  const sessions = new Map<string, Held>()
  const listeners = new Set<() => void>()
  const logListeners = new Set<(path: string) => void>()
  let python: Promise<Python | null> | undefined
  let disposed = false

  const changed = (): void => listeners.forEach((listener) => listener())
  const unwatch = storage.watch(deps.externalDir, changed)
  // Another window or a command may allow a file, or forbid it.
  const unwatchAllowed = storage.watch(storage.path('local_tools.json'), changed)
  const unfollow = deps.profiles.onChange(changed)

  const ringOf = (file: string): LogRing => {
    const held = rings.get(file)
    if (held !== undefined) return held
    const ring = createLogRing(Date.now, () => logListeners.forEach((listener) => listener(file)))
    rings.set(file, ring)
    return ring
  }

  const found = async (): Promise<FoundFile[]> => {
    const folders = await deps.profiles.folders()
    const scans = [discovery.scan(deps.externalDir, null), ...folders.map(({ dir, name }) => discovery.scan(dir, name))]
    return (await Promise.all(scans)).flat()
  }

  const describe = (file: FoundFile, permission: Allowed | undefined): LocalTool => {
    const { problem, ...rest } = file
    if (problem !== undefined) return { ...rest, state: 'unusable', members: [], problem }
    const details = { id: file.id, path: file.path }
    if (permission === undefined) {
      return { ...rest, state: 'not-allowed', members: [], problem: { code: 'tools/not-allowed', details } }
    }
    if (permission.sha256 !== file.sha256) {
      return { ...rest, state: 'changed', members: [], problem: { code: 'tools/file-changed', details } }
    }
    return { ...rest, state: 'ready', members: [...permission.members] }
  }

  const list = async (): Promise<LocalTool[]> => {
    const [files, permissions] = await Promise.all([found(), allowed.all()])
    return files
      .map((file) => describe(file, permissions.get(file.path)))
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  }

  const tool = async (file: string): Promise<LocalTool> => {
    const one = (await list()).find((candidate) => candidate.path === file)
    if (one === undefined) throw new CompanionError('tools/unknown', { id: path.basename(file) })
    return one
  }

  const launchModule = (file: LocalTool, source?: string): ToolProcess => {
    if (deps.startModule === undefined)
      throw new CompanionError('tools/unavailable', { id: file.id, reason: 'not here' })
    return deps.startModule({
      module: path.join(deps.hostsDir, 'host.mjs'),
      args: [file.path, source === undefined ? 'file' : 'text'],
      env: toolEnvironment(deps.env),
      cwd: path.dirname(file.path),
      heap: limits.heap,
    })
  }

  const launch = async (file: LocalTool): Promise<{ process: ToolProcess; source?: string }> => {
    if (file.language === 'python') {
      python ??= findPython(toolEnvironment(deps.env))
      const program = await python
      if (program === null) {
        // It may be installed at any moment: the next call looks again.
        python = undefined
        throw new CompanionError('tools/no-python', { id: file.id })
      }
      const hosts = path.join(deps.hostsDir, 'python')
      const env = toolEnvironment(deps.env, {
        PYTHONPATH: hosts,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONIOENCODING: 'utf-8',
      })
      const options = { host: path.join(hosts, 'host.py'), file: file.path, env, cwd: path.dirname(file.path) }
      return { process: startPython(program, options) }
    }
    if (file.language === 'javascript') return { process: launchModule(file) }
    const stripped = await stripTypes(await readFile(file.path, 'utf8'), path.basename(file.path))
    if (!stripped.ok) {
      throw new CompanionError('tools/bad-file', {
        id: file.id,
        path: file.path,
        reason: plainText(stripped.reason, 500),
      })
    }
    return { process: launchModule(file, stripped.code), source: stripped.code }
  }

  /** The process of these bytes; one of older bytes is ended. */
  const sessionOf = (file: LocalTool): Session => {
    const held = sessions.get(file.path)
    if (held !== undefined && held.sha256 === file.sha256) return held.session
    held?.session.end()
    const ring = ringOf(file.path)
    const session = createSession({
      id: file.id,
      path: file.path,
      limits,
      ring,
      launch: () => launch(file),
      onState: () => logListeners.forEach((listener) => listener(file.path)),
    })
    sessions.set(file.path, { session, ring, sha256: file.sha256 })
    return session
  }

  const endSession = (file: string): void => {
    sessions.get(file)?.session.end()
    sessions.delete(file)
  }

  return {
    list,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onLog(listener) {
      logListeners.add(listener)
      return () => logListeners.delete(listener)
    },
    async readFile(file) {
      const { path: known, problem } = await tool(file)
      if (problem?.code === 'tools/bad-file') throw new CompanionError(problem.code, problem.details)
      const bytes = await readFile(known)
      const text = new TextDecoder('utf-8').decode(bytes)
      return {
        text: text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}\n…` : text,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }
    },
    async allow(file, sha256) {
      const before = await tool(file)
      if (before.problem?.code === 'tools/bad-file') throw new CompanionError('tools/bad-file', before.problem.details)
      if (before.sha256 !== sha256) throw new CompanionError('tools/file-changed', { id: before.id, path: file })
      const members = await sessionOf(before).members()
      const after = await tool(file)
      if (after.sha256 !== sha256) {
        endSession(file)
        throw new CompanionError('tools/file-changed', { id: before.id, path: file })
      }
      await allowed.put(file, { sha256, members })
      storage.audit.append({ kind: 'consent', origin: file, toolIds: [before.id] })
      changed()
      return tool(file)
    },
    async forbid(file) {
      const id = path.basename(file, path.extname(file))
      endSession(file)
      await allowed.remove(file)
      storage.audit.append({ kind: 'withdrawal', origin: file, toolIds: [id] })
      changed()
    },
    async call({ path: file, ...request }) {
      if (disposed) throw new CompanionError('tools/cancelled', { id: path.basename(file) })
      const one = await tool(file)
      if (one.problem !== undefined) throw new CompanionError(one.problem.code, one.problem.details)
      return sessionOf(one).call(request)
    },
    async logOf(file) {
      await tool(file)
      const lines = ringOf(file).lines.map((line) => ({ ...line }))
      return { path: file, running: sessions.get(file)?.session.running ?? false, lines }
    },
    async createFile({ language, name, profile }) {
      if (!NEW_NAME.test(name)) throw new CompanionError('tools/bad-tool-name', { name })
      const folder =
        profile === null
          ? deps.externalDir
          : (await deps.profiles.folders()).find((one) => one.name === profile && one.source !== 'shipped')?.dir
      if (folder === undefined) throw new CompanionError('profile/shipped', { name: profile ?? '' })
      const file = path.join(folder, `${name}${EXTENSIONS[language]}`)
      const taken = (await list()).find((one) => one.id === name && (one.profile === null || one.profile === profile))
      if (taken !== undefined) {
        throw new CompanionError('tools/duplicate-name', { id: name, first: taken.path, second: file })
      }
      await storage.transact('new tool file', async (tx) => {
        if ((await tx.read(file)) !== null) {
          throw new CompanionError('tools/duplicate-name', { id: name, first: file, second: file })
        }
        tx.write(file, templateOf(language, name))
      })
      changed()
      return tool(file)
    },
    async dispose() {
      disposed = true
      unwatch()
      unwatchAllowed()
      unfollow()
      listeners.clear()
      logListeners.clear()
      for (const { session } of sessions.values()) session.end()
      sessions.clear()
    },
  }
}
