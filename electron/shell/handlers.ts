import path from 'node:path'

import { CompanionError, ROUTES } from '../contract/index.ts'
import { permissionHelpHere } from '../robot/index.ts'

import type { Companion } from '../companion.ts'
import type {
  EventName,
  EventPayload,
  FileProblem,
  MoveShelfState,
  RouteName,
  RouteResponse,
  Routes,
  ToolFileInfo,
  Unsubscribe,
} from '../contract/index.ts'
import type { LocalTool } from '../tools/index.ts'
import type { z } from 'zod'

/** What the window's host adds to the rooms. */
export interface Desktop {
  appInfo(): RouteResponse<'app.info'>
  /** Opens an address in the system's browser. */
  openExternal(url: string): Promise<void>
  /** Native dialog with the whole address. */
  confirmLink(url: string): Promise<boolean>
  /** The Space of a deep link that nobody has taken yet. */
  takeLink(): string | null
  /** Native dialog for a folder; `null` when the person chose none. */
  chooseFolder(): Promise<string | null>
  /** Native dialog for a file with one of these endings (without dot). */
  chooseFile(endings: readonly string[]): Promise<string | null>
  /** Native dialog for a place to write to, beginning with this name. The person has agreed to replace what it names. */
  chooseSave(name: string, endings: readonly string[]): Promise<string | null>
  /** Opens a folder of this computer in the system's file manager. @returns why it could not, else an empty string. */
  openFolder(path: string): Promise<string>
  /** Shows a file in the system's file manager. */
  showInFolder(path: string): void
  /** From the click to the first byte nothing may stand between: called before any other request is looked at. */
  emergencyStop(): Promise<{ confirmed: boolean }>
}

export type Handlers = {
  readonly [R in RouteName]: (request: z.output<Routes[R]['request']>) => Promise<RouteResponse<R>>
}

/** A link out of a conversation: https only, no user info; everything else is refused. */
export function safeLink(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href
}

/**
 * Everything that a window can do, in one list: this file is what one reads to audit it. Requests are parsed by the
 * router before they come here.
 */
export function createHandlers(companion: Companion, desktop: Desktop): Handlers {
  const { settings, spaces, servers, profiles, exchange, localTools, tools, chat, robot, hub } = companion

  const begin = async (motion: { started: Promise<void>; ended: Promise<unknown> }): Promise<Record<string, never>> => {
    // The end is reported by the robot's state; a refusal arrives at `started`.
    motion.ended.catch((error: unknown) => companion.host.log.debug('motion ended early', { error: String(error) }))
    await motion.started
    return {}
  }
  const shelf = (): MoveShelfState => shelfOf(companion)
  const activeOr = async (name: string | undefined): Promise<string> => name ?? (await profiles.active())

  return {
    'app.info': async () => desktop.appInfo(),
    'app.openSpacePage': async ({ slug }) => {
      if (!/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(slug))
        throw new CompanionError('space/bad-name', { text: slug })
      await desktop.openExternal(`${hub.endpoint()}/spaces/${slug}`)
      return {}
    },
    'app.openLink': async ({ url }) => {
      const link = safeLink(url)
      if (link === null || !(await desktop.confirmLink(link))) return { opened: false }
      await desktop.openExternal(link)
      return { opened: true }
    },

    'app.takeLink': async () => ({ space: desktop.takeLink() }),

    'settings.get': () => settings.snapshot(),
    'settings.update': (patch) => settings.update(patch),
    'settings.setSecret': ({ name, value }) => settings.setSecret(name, value),
    'settings.clearSecret': ({ name }) => settings.clearSecret(name),
    'settings.testProvider': async ({ baseUrl, model, key }) => {
      const stored = await companion.provider()
      // The stored key goes only to the address it was stored for.
      const usable = key ?? (stored.baseUrl === baseUrl ? stored.key : null)
      return chat.test({ kind: 'openai-compatible', baseUrl, model, key: usable })
    },

    'spaces.list': () => spaces.snapshot(),
    'spaces.search': (request) => spaces.search(request),
    'spaces.more': ({ next, limit }) => spaces.more(next, limit),
    'spaces.detail': ({ slug }) => spaces.detail(slug),
    'spaces.picture': ({ slug, url }) => spaces.picture(slug, url),
    'spaces.try': (request) => tools.tryOnce(request),
    'spaces.preview': ({ operationId, ref, replaces }) =>
      spaces.preview(operationId, ref, replaces === undefined ? {} : { replaces }),
    'spaces.install': ({ operationId, toolIds, profiles: names }) =>
      spaces.install(operationId, toolIds, names, { acceptChanges: true }),
    'spaces.cancel': async ({ operationId }) => {
      spaces.cancel(operationId)
      return {}
    },
    'spaces.remove': ({ slug }) => spaces.remove(slug),
    'spaces.undo': ({ undoId }) => spaces.undo(undoId),
    'spaces.refresh': ({ operationId, slug }) => spaces.refresh(operationId, slug),
    'spaces.review': ({ slug }) => spaces.review(slug),
    'spaces.decide': ({ slug, approve, keepOff }) => spaces.decide(slug, { approve, keepOff }),
    'spaces.discard': ({ id }) => spaces.discard(id),
    'spaces.restore': ({ from }) => spaces.restore(from),
    'spaces.upstream': async () => ({ found: await spaces.upstream() }),
    'spaces.chooseUpstream': async () => {
      const folder = await desktop.chooseFolder()
      const found = folder === null ? [] : await spaces.upstream(folder)
      return { found: found[0] ?? null }
    },
    'spaces.importUpstream': ({ path, slugs }) => spaces.importUpstream(path, slugs),
    'spaces.useInstance': ({ path }) => spaces.useInstance(path),

    'servers.list': () => servers.snapshot(),
    'servers.preview': ({ operationId, draft, token, importedToken }) =>
      servers.preview(operationId, draft, token, { importedToken: importedToken === true }),
    'servers.install': ({ operationId, toolIds, profiles: names }) => servers.install(operationId, toolIds, names),
    'servers.cancel': async ({ operationId }) => {
      servers.cancel(operationId)
      return {}
    },
    'servers.refresh': ({ operationId, name }) => servers.refresh(operationId, name),
    'servers.decide': ({ name, approve, keepOff }) => servers.decide(name, { approve, keepOff }),
    'servers.remove': ({ name }) => servers.remove(name),
    'servers.undo': ({ undoId }) => servers.undo(undoId),
    'servers.readImport': async ({ text }) => servers.readImport(text),

    'profiles.list': () => profiles.snapshot(),
    'profiles.read': ({ name }) => profiles.read(name),
    'profiles.use': ({ name }) => profiles.use(name),
    'profiles.create': ({ name, from, details }) => profiles.create(name, from, details),
    'profiles.rename': ({ name, to }) => profiles.rename(name, to),
    'profiles.remove': ({ name }) => profiles.remove(name),
    'profiles.undo': ({ undoId }) => profiles.undo(undoId),
    'profiles.setDetails': ({ name, details }) => profiles.setDetails(name, details),
    'profiles.save': (change) => profiles.save(change),
    'profiles.rebase': (change) => profiles.rebase(change),
    'profiles.draft': async ({ name, texts, enable, disable, order, move }) => {
      const document = await profiles.read(name)
      const edit = { enable, disable, order, move }
      const { text, toolsText } = profiles.editDraft(document, texts['tools.txt'], edit)
      const [own, known] = await Promise.all([
        profiles.checkTexts(name, { ...texts, 'tools.txt': toolsText }),
        tools.diagnose(text, name),
      ])
      const lines = profiles.parseTools(text)
      return {
        toolsText,
        ids: lines.filter((line) => !line.duplicate).map((line) => line.id),
        problems: withoutRepeats([...known, ...own]),
      }
    },
    'profiles.prompt': ({ name, texts }) => chat.prompt(name, texts),
    'profiles.writeOut': async ({ name, text }) => ({ text: await profiles.writeOut(name, text) }),
    'profiles.repair': ({ name, file, repair }) => profiles.repair(name, file, repair),
    'profiles.keepUnsaved': async ({ name, unsaved }) => {
      await profiles.keepUnsaved(name, unsaved)
      return {}
    },
    'profiles.unsaved': async () => ({ unsaved: await profiles.unsaved() }),
    'profiles.openFolder': async ({ name }) => {
      const { path } = await profiles.read(name)
      if ((await desktop.openFolder(path)) !== '') throw new CompanionError('storage/failed', { path })
      return {}
    },
    'profiles.chooseImport': async ({ kind }) => {
      const chosen = await (kind === 'folder' ? desktop.chooseFolder() : desktop.chooseFile(['zip', 'md']))
      if (chosen === null) return { preview: null }
      return { preview: await (kind === 'folder' ? exchange.readFolder(chosen) : exchange.readAny(chosen)) }
    },
    'profiles.readHub': ({ operationId, ref }) => exchange.readHub(operationId, ref),
    'profiles.cancelImport': async ({ operationId }) => {
      exchange.cancel(operationId)
      return {}
    },
    'profiles.import': ({ importId, picks }) => exchange.import(importId, picks),
    'profiles.planExport': ({ name, format }) => exchange.plan(name, format),
    'profiles.export': async ({ name, format }) => {
      const isZip = format === 'zip'
      const out = await desktop.chooseSave(isZip ? `${name}.zip` : name, isZip ? ['zip'] : [])
      return out === null ? { path: null, problems: [] } : exchange.export(name, format, out, { replace: isZip })
    },
    'profiles.editFolder': async ({ action }) => {
      if (action === 'close') return profiles.editFolder(null)
      const folder = await desktop.chooseFolder()
      return folder === null ? profiles.snapshot() : profiles.editFolder(folder)
    },

    'tools.list': async ({ profile }) => tools.list(await activeOr(profile)),
    'tools.weights': ({ profile }) => tools.weights(profile),
    'tools.readFile': ({ path }) => localTools.readFile(path),
    'tools.allow': async ({ path, sha256 }) => fileInfo(await localTools.allow(path, sha256)),
    'tools.forbid': async ({ path }) => {
      await localTools.forbid(path)
      return {}
    },
    'tools.log': ({ path }) => localTools.logOf(path),
    'tools.createFile': async (request) => fileInfo(await localTools.createFile(request)),
    'tools.showFile': async ({ path }) => {
      // Only files that are in the list: never a path that a page made up.
      await localTools.readFile(path)
      desktop.showInFolder(path)
      return {}
    },

    'chat.get': async () => chat.conversation(),
    'chat.new': () => chat.newConversation(),
    'chat.suggestions': async () => ({
      suggestions: await chat.suggestions((await settings.snapshot()).language),
    }),
    'chat.send': async ({ text, provider }) => {
      const { messageId, finished } = await chat.send(text, provider)
      // How it ended is in the message itself.
      finished.catch((error: unknown) => companion.host.log.error('turn failed', { error: String(error) }))
      return { messageId }
    },
    'chat.approve': async ({ callId, answer }) => {
      await chat.approve(callId, answer)
      return {}
    },
    'chat.stop': async () => {
      await chat.stop()
      return {}
    },

    'robot.list': async ({ fresh }) => ({ robots: await robot.list({ fresh }) }),
    'robot.connect': async ({ id }) => {
      await robot.connect(id)
      return robot.state()
    },
    'robot.disconnect': async () => {
      await robot.disconnect()
      return robot.state()
    },
    'robot.add': ({ text }) => robot.add(text),
    'robot.forget': async ({ id }) => {
      await robot.forget(id)
      return {}
    },
    'robot.torque': async ({ on }) => {
      await robot.setTorque(on)
      return robot.state()
    },
    'robot.jog': (wish) => begin(robot.jog(wish)),
    'robot.rebootMotor': async ({ id }) => {
      await robot.rebootMotor(id)
      return robot.state()
    },
    'robot.diagnostics': async () => ({ text: await robot.diagnostics() }),
    'robot.permissionHelp': async () => ({
      help: await permissionHelpHere(path.join(companion.host.resourcesDir, 'linux', '70-reachy-mini.rules')),
    }),
    'robot.state': async () => robot.state(),
    'robot.emergencyStop': () => desktop.emergencyStop(),
    'robot.enable': async () => {
      await robot.enable()
      return robot.state()
    },
    'robot.wake': () => begin(robot.wake()),
    'robot.sleep': () => begin(robot.sleep()),
    'robot.stop': async () => {
      robot.stopMotion()
      return {}
    },
    'robot.moves': async () => ({ moves: robot.moves() }),
    'robot.trajectory': async ({ move }) => robot.trajectory(move),
    'robot.play': ({ move }) => begin(robot.play(move)),

    'moves.shelf': async () => shelf(),
    'moves.download': async ({ id, newest }) => {
      // The end is told by the library's state.
      robot.shelf.download(id, { newest }).catch((error: unknown) => {
        companion.host.log.info('a library of moves was not fetched', { id, error: String(error) })
      })
      return shelf()
    },
    'moves.cancelDownload': async ({ id }) => {
      robot.shelf.cancelDownload(id)
      return {}
    },
    'moves.removeLibrary': async ({ id }) => {
      await robot.shelf.removeLibrary(id)
      return shelf()
    },
    'moves.import': async ({ from, kind }) => {
      const place = await (from === 'folder' ? desktop.chooseFolder() : desktop.chooseFile(['json']))
      return { result: place === null ? null : await robot.shelf.import(place, kind) }
    },
    'moves.rename': ({ name, to }) => robot.shelf.rename(name, to),
    'moves.remove': ({ name }) => robot.shelf.remove(name),
    'moves.undo': async ({ undoId }) => {
      await robot.shelf.undo(undoId)
      return {}
    },
    'moves.export': async ({ name, format }) => {
      const { fileName } = robot.shelf.export(name, format)
      const place = await desktop.chooseSave(fileName, ['json'])
      if (place !== null) await robot.shelf.exportTo(name, format, place)
      return { path: place }
    },
    'moves.sound': async ({ name }) => {
      const sound = await robot.shelf.sound(name)
      return { sound: sound && { type: sound.type, base64: Buffer.from(sound.bytes).toString('base64') } }
    },
    'moves.record': async ({ action }) => {
      const { recorder } = robot
      if (action === 'start') await begin(recorder.start())
      else if (action === 'play') await begin(recorder.play())
      else if (action === 'stop') recorder.stop()
      else recorder.discard()
      return recorder.state()
    },
    'moves.recorded': async () => robot.recorder.trajectory(),
    'moves.keep': ({ name, kind, description }) => robot.recorder.keep(name, { kind, description }),
  }
}

function shelfOf({ robot }: Companion): MoveShelfState {
  return { libraries: robot.shelf.libraries(), recording: robot.recorder.state() }
}

function fileInfo({ id: _, problem: __, ...info }: LocalTool): ToolFileInfo {
  return { ...info, members: [...info.members] }
}

/** Problems that two checks found are told once. */
function withoutRepeats(problems: readonly FileProblem[]): FileProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ file, line, code }) => {
    const key = `${file}:${line}:${code}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The names of the routes, for a test that none is without a handler. */
export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[]

export type Emit = <E extends EventName>(event: E, payload: EventPayload<E>) => void

/** Passes everything that the rooms announce on to the window. */
export function forwardEvents(companion: Companion, emit: Emit): Unsubscribe {
  const { settings, spaces, servers, profiles, localTools, tools, chat, robot } = companion
  const subscriptions: Unsubscribe[] = [
    settings.onChange((snapshot) => emit('settings.changed', snapshot)),
    spaces.onChange((snapshot) => emit('spaces.changed', snapshot)),
    spaces.onProgress((progress) => emit('spaces.progress', progress)),
    servers.onChange((snapshot) => emit('servers.changed', snapshot)),
    profiles.onChange((snapshot) => emit('profiles.changed', snapshot)),
    localTools.onLog((path) => emit('tools.log', { path })),
    robot.onFound((robots) => emit('robots.changed', { robots })),
    tools.onChange((version) => emit('tools.changed', { version })),
    chat.onConversation((conversation) => emit('chat.changed', conversation)),
    chat.onMessage((conversationId, message) => emit('chat.message', { conversationId, message })),
    chat.onDelta((delta) => emit('chat.delta', delta)),
    robot.onChange((state) => emit('robot.changed', state)),
    robot.shelf.onChange(() => emit('moves.changed', shelfOf(companion))),
    robot.onSound((move) => emit('moves.sounds', { move })),
  ]
  return () => subscriptions.forEach((unsubscribe) => unsubscribe())
}
