import { z } from 'zod'

import { approvalAnswerSchema, conversationSchema, chatMessageSchema, suggestionSchema } from './chat.ts'
import {
  avatarSchema,
  exportFormatSchema,
  exportPlanSchema,
  fileProblemSchema,
  importPickSchema,
  importPreviewSchema,
  profileDetailsSchema,
  profileDocumentSchema,
  profileDraftSchema,
  profileFileSchema,
  profileModelSchema,
  profileNameSchema,
  profilePermissionSchema,
  profilesSnapshotSchema,
  profileTextsSchema,
  promptSchema,
  repairKindSchema,
  unsavedProfileSchema,
} from './profiles.ts'
import {
  jogSchema,
  moveFormatSchema,
  moveImportSchema,
  moveInfoSchema,
  moveRecordingSchema,
  moveShelfSchema,
  permissionHelpSchema,
  robotStateSchema,
  robotSummarySchema,
  trajectorySchema,
} from './robot.ts'
import {
  serverDraftSchema,
  serverImportSchema,
  serverPreviewSchema,
  serverResultSchema,
  serversSnapshotSchema,
} from './servers.ts'
import { settingsPatchSchema, settingsSnapshotSchema } from './settings.ts'
import {
  installProgressSchema,
  installResultSchema,
  refreshResultSchema,
  removeResultSchema,
  spaceDetailSchema,
  spaceFilterSchema,
  spacePreviewSchema,
  spaceReviewSchema,
  spaceSearchSchema,
  spaceSortSchema,
  spacesSnapshotSchema,
  upstreamManifestSchema,
} from './spaces.ts'
import {
  jsonObjectSchema,
  toolFileInfoSchema,
  toolImageSchema,
  toolLanguageSchema,
  toolListSchema,
  toolLogSchema,
  toolResultSchema,
  toolWeightsSchema,
} from './tools.ts'

const nothing = z.object({}).strict()
const done = z.object({})
const operationId = z.string().min(1).max(64)
const slug = z.string().min(3).max(200)
const ids = z.array(z.string().max(300)).max(200)
const moveName = z.string().min(1).max(100)
const moveKind = z.enum(['emotion', 'dance'])
const libraryId = z.string().min(1).max(100)
const robotId = z.string().min(1).max(400)
const serverName = z.string().min(1).max(100)
/** Longest text a person may type into one message; longer is refused, not cut. */
const MAX_MESSAGE = 32_000
const MAX_FILE = 1_000_000
const fileText = z.string().max(MAX_FILE).nullable()
const profileTexts = z
  .object({ 'tools.txt': fileText, 'instructions.txt': fileText, 'voice.txt': fileText, 'greeting.txt': fileText })
  .strict()

/** Every request a renderer can make: name → request and response schema. There is no other way in. */
export const ROUTES = {
  'app.info': {
    request: nothing,
    response: z.object({
      version: z.string(),
      dataDir: z.string(),
      platform: z.string(),
      electron: z.string(),
      chrome: z.string(),
      packaged: z.boolean(),
    }),
  },
  /** Opens the Hub page of a Space in the system's browser. The address is made from the slug, never taken from a page. */
  'app.openSpacePage': { request: z.object({ slug }).strict(), response: done },
  /** Opens an https link out of a conversation, after the person said yes in a native dialog that shows the whole address. */
  'app.openLink': {
    request: z.object({ url: z.string().max(2_000) }).strict(),
    response: z.object({ opened: z.boolean() }),
  },

  /** The Space of a deep link that opened the app, once. */
  'app.takeLink': { request: nothing, response: z.object({ space: slug.nullable() }) },

  'settings.get': { request: nothing, response: settingsSnapshotSchema },
  'settings.update': { request: settingsPatchSchema.strict(), response: settingsSnapshotSchema },
  'settings.setSecret': {
    request: z.object({ name: z.enum(['model-key', 'hub-token']), value: z.string().min(1).max(4_000) }).strict(),
    response: settingsSnapshotSchema,
  },
  'settings.clearSecret': {
    request: z.object({ name: z.enum(['model-key', 'hub-token']) }).strict(),
    response: settingsSnapshotSchema,
  },
  /** Really asks the model, with one harmless test tool. An empty key means the stored one. */
  'settings.testProvider': {
    request: z
      .object({ baseUrl: z.string().max(500), model: z.string().max(200), key: z.string().max(4_000).optional() })
      .strict(),
    response: z.object({ latencyMs: z.number(), text: z.string(), calledTool: z.boolean() }),
  },

  'spaces.list': { request: nothing, response: spacesSnapshotSchema },
  'spaces.search': {
    request: z
      .object({
        query: z.string().max(200),
        filters: z.array(spaceFilterSchema).max(5),
        sort: spaceSortSchema,
        limit: z.number().int().min(1).max(100),
        /** `spaces.cancel` ends the search of this name. */
        operationId: operationId.optional(),
      })
      .strict(),
    response: spaceSearchSchema,
  },
  /** The entries after those that `next` came with. `app/cancelled` when that list is forgotten: search again. */
  'spaces.more': {
    request: z.object({ next: z.string().max(100), limit: z.number().int().min(1).max(100) }).strict(),
    response: spaceSearchSchema,
  },
  /** Card, README and, when installed, tools of one Space. Asks the Hub, never the Space. */
  'spaces.detail': { request: z.object({ slug }).strict(), response: spaceDetailSchema },
  /** One picture of a README from another site, after the person pressed Load; only addresses that the README names. */
  'spaces.picture': {
    request: z.object({ slug, url: z.string().max(2_000) }).strict(),
    response: toolImageSchema,
  },
  /** Calls a tool once for the person who is looking at it. Neither the model nor the robot sees the result. */
  'spaces.try': {
    request: z
      .object({
        operationId,
        slug,
        /** The preview that connected to a Space that is not installed. */
        previewId: operationId.optional(),
        remoteName: z.string().max(500),
        arguments: jsonObjectSchema,
      })
      .strict(),
    response: z.object({
      result: toolResultSchema,
      /** The answer as JSON, capped. */
      received: z.string(),
    }),
  },
  /** Validate, Wake, Connect, Discover. Nothing on disk changes. */
  'spaces.preview': {
    request: z
      .object({
        operationId,
        ref: z.string().min(1).max(500),
        /** Entry of the manifest that cannot be read and that an installation settles. */
        replaces: z.string().max(100).optional(),
      })
      .strict(),
    response: spacePreviewSchema,
  },
  /** Enable: manifest and profile together or not at all. Only what a preview showed can be installed. */
  'spaces.install': {
    request: z.object({ operationId, toolIds: ids, profiles: z.array(profileNameSchema).max(50) }).strict(),
    response: installResultSchema,
  },
  'spaces.cancel': { request: z.object({ operationId }).strict(), response: done },
  'spaces.remove': { request: z.object({ slug }).strict(), response: removeResultSchema },
  'spaces.undo': { request: z.object({ undoId: z.string().max(64) }).strict(), response: spacesSnapshotSchema },
  /** Looks again what one Space, or each, offers; what changed waits for a decision. `null`: all. */
  'spaces.refresh': {
    request: z.object({ operationId, slug: slug.nullable() }).strict(),
    response: refreshResultSchema,
  },
  /** What changed since the approval. No network. */
  'spaces.review': { request: z.object({ slug }).strict(), response: spaceReviewSchema },
  /** `approve` and `keepOff` are IDs of the review; what is in neither stays undecided. */
  'spaces.decide': {
    request: z.object({ slug, approve: ids, keepOff: ids }).strict(),
    response: z.object({ snapshot: spacesSnapshotSchema, undoId: z.string() }),
  },
  /** Deletes an entry of the manifest that cannot be read. */
  'spaces.discard': {
    request: z.object({ id: z.string().max(100) }).strict(),
    response: z.object({ snapshot: spacesSnapshotSchema, undoId: z.string() }),
  },
  /** Puts the backup, or the starting Spaces, in the place of a manifest that cannot be read, which is kept aside. */
  'spaces.restore': {
    request: z.object({ from: z.enum(['backup', 'start']) }).strict(),
    response: spacesSnapshotSchema,
  },
  /** Manifests of the robot's own app in its usual places. */
  'spaces.upstream': { request: nothing, response: z.object({ found: z.array(upstreamManifestSchema) }) },
  /** Asks the person for a folder of the robot's own app in a native dialog. */
  'spaces.chooseUpstream': { request: nothing, response: z.object({ found: upstreamManifestSchema.nullable() }) },
  /** Takes Spaces over from a manifest that `spaces.upstream` or `spaces.chooseUpstream` showed. */
  'spaces.importUpstream': {
    request: z.object({ path: z.string().max(4_000), slugs: z.array(slug).max(500) }).strict(),
    response: z.object({ snapshot: spacesSnapshotSchema, imported: z.array(z.string()), undoId: z.string() }),
  },
  /** Works on the manifest of such a folder in place from now on; `null`: on our own again. */
  'spaces.useInstance': {
    request: z.object({ path: z.string().max(4_000).nullable() }).strict(),
    response: spacesSnapshotSchema,
  },

  'servers.list': { request: nothing, response: serversSnapshotSchema },
  /** Connects and lists; starts the program of a stdio server, which the person has just confirmed. */
  'servers.preview': {
    request: z
      .object({
        operationId,
        draft: serverDraftSchema.strict(),
        /** Kept in the system's store with the server, sent to its address only. */
        token: z.string().min(1).max(4_000).optional(),
        /** Use the token that the text last read by `servers.readImport` held for this name and address. */
        importedToken: z.boolean().optional(),
      })
      .strict(),
    response: serverPreviewSchema,
  },
  'servers.install': {
    request: z.object({ operationId, toolIds: ids, profiles: z.array(profileNameSchema).max(50) }).strict(),
    response: serverResultSchema,
  },
  'servers.cancel': { request: z.object({ operationId }).strict(), response: done },
  'servers.refresh': { request: z.object({ operationId, name: serverName }).strict(), response: serversSnapshotSchema },
  'servers.decide': {
    request: z.object({ name: serverName, approve: ids, keepOff: ids }).strict(),
    response: serversSnapshotSchema,
  },
  'servers.remove': {
    request: z.object({ name: serverName }).strict(),
    response: z.object({
      removed: z.string(),
      disabled: z.record(z.string(), z.array(z.string())),
      undoId: z.string(),
    }),
  },
  'servers.undo': { request: z.object({ undoId: z.string().max(64) }).strict(), response: serversSnapshotSchema },
  /** Reads the text of another program's `mcp.json`; writes nothing. */
  'servers.readImport': {
    request: z.object({ text: z.string().max(MAX_FILE) }).strict(),
    response: serverImportSchema,
  },

  'profiles.list': { request: nothing, response: profilesSnapshotSchema },
  'profiles.read': { request: z.object({ name: profileNameSchema }).strict(), response: profileDocumentSchema },
  'profiles.use': { request: z.object({ name: profileNameSchema }).strict(), response: profilesSnapshotSchema },
  /** New profile, as a copy of `from` with all its files. */
  'profiles.create': {
    request: z
      .object({ name: z.string().max(200), from: profileNameSchema, details: profileDetailsSchema.strict().optional() })
      .strict(),
    response: profileDocumentSchema,
  },
  /** Of a profile of the user's own. The choice of the active one, and what is kept about it, follow. */
  'profiles.rename': {
    request: z.object({ name: profileNameSchema, to: z.string().max(200) }).strict(),
    response: z.object({ document: profileDocumentSchema, undoId: z.string() }),
  },
  /** Takes a user's profile away, or the user's copy of a shipped one (which brings the shipped one back). */
  'profiles.remove': {
    request: z.object({ name: profileNameSchema }).strict(),
    response: z.object({ snapshot: profilesSnapshotSchema, undoId: z.string() }),
  },
  'profiles.undo': { request: z.object({ undoId: z.string().max(64) }).strict(), response: profilesSnapshotSchema },
  /** Title, purpose, avatar, hidden, model, permissions: only the keys that are given; `null` takes one away. */
  'profiles.setDetails': {
    request: z
      .object({
        name: profileNameSchema,
        details: z
          .object({
            title: z.string().max(80).nullable(),
            purpose: z.string().max(200).nullable(),
            avatar: avatarSchema.nullable(),
            hidden: z.boolean(),
            model: profileModelSchema.nullable(),
            permissions: z.record(z.string().max(300), profilePermissionSchema.nullable()),
          })
          .partial()
          .strict(),
      })
      .strict(),
    response: profilesSnapshotSchema,
  },
  /**
   * Writes what the person changed. `base` is what they started from: where the disk says something else by now, both
   * changes are kept if they do not touch the same lines (`merged` names the files), else `profile/changed-outside` and
   * nothing is written.
   */
  'profiles.save': {
    request: z.object({ name: profileNameSchema, base: profileTexts, texts: profileTexts }).strict(),
    response: z.object({ document: profileDocumentSchema, merged: z.array(profileFileSchema) }),
  },
  /** The same without writing: what unsaved texts become on what is on disk now. `conflicts` keep the person's text. */
  'profiles.rebase': {
    request: z.object({ name: profileNameSchema, base: profileTexts, texts: profileTexts }).strict(),
    response: z.object({
      document: profileDocumentSchema,
      texts: profileTextsSchema,
      merged: z.array(profileFileSchema),
      conflicts: z.array(profileFileSchema),
    }),
  },
  /**
   * Edits an unsaved tools.txt by line, then says what is wrong with all four texts; writes nothing. `order` puts the IDs of
   * the list into this order, whole lines with the comments above them.
   */
  'profiles.draft': {
    request: z
      .object({
        name: profileNameSchema,
        texts: profileTexts,
        enable: ids,
        disable: ids,
        order: ids.optional(),
        /** Moves one ID before another one; `null`: to the end. */
        move: z
          .object({ id: z.string().max(300), before: z.string().max(300).nullable() })
          .strict()
          .optional(),
      })
      .strict(),
    response: profileDraftSchema,
  },
  /** The prompt that a model would get with these texts, part by part; absent texts are those on disk. */
  'profiles.prompt': {
    request: z.object({ name: profileNameSchema, texts: profileTexts.optional() }).strict(),
    response: promptSchema,
  },
  /** Placeholders replaced by what they stand for, on request of the person. */
  'profiles.writeOut': {
    request: z.object({ name: profileNameSchema, text: z.string().max(MAX_FILE) }).strict(),
    response: z.object({ text: z.string() }),
  },
  /** One of the repairs that the document offered. The old bytes stay beside it. */
  'profiles.repair': {
    request: z.object({ name: profileNameSchema, file: profileFileSchema, repair: repairKindSchema }).strict(),
    response: profileDocumentSchema,
  },
  /** Keeps unsaved texts for the case of a crash; `null` forgets them. */
  'profiles.keepUnsaved': {
    request: z
      .object({
        name: profileNameSchema,
        unsaved: z.object({ base: profileTexts, texts: profileTexts }).strict().nullable(),
      })
      .strict(),
    response: done,
  },
  'profiles.unsaved': { request: nothing, response: z.object({ unsaved: z.array(unsavedProfileSchema) }) },
  /** Opens the profile's folder in the system's file manager. */
  'profiles.openFolder': { request: z.object({ name: profileNameSchema }).strict(), response: done },
  /** Asks the person for a folder or a zip in a native dialog and looks at what is in it; `null`: none chosen. */
  'profiles.chooseImport': {
    request: z.object({ kind: z.enum(['folder', 'zip']) }).strict(),
    response: z.object({ preview: importPreviewSchema.nullable() }),
  },
  /** Looks at the profiles of a Hub repository (Space, model or dataset), by name or link. `profiles.cancelImport` ends it. */
  'profiles.readHub': {
    request: z.object({ operationId, ref: z.string().min(1).max(500) }).strict(),
    response: importPreviewSchema,
  },
  'profiles.cancelImport': { request: z.object({ operationId }).strict(), response: done },
  /** Takes over what was picked of a preview, all or nothing. */
  'profiles.import': {
    request: z
      .object({ importId: z.string().max(64), picks: z.array(importPickSchema.strict()).min(1).max(200) })
      .strict(),
    response: z.object({
      snapshot: profilesSnapshotSchema,
      imported: z.array(z.string()),
      problems: z.array(fileProblemSchema),
      undoId: z.string(),
    }),
  },
  /** What would be written, and what the format cannot hold. */
  'profiles.planExport': {
    request: z.object({ name: profileNameSchema, format: exportFormatSchema }).strict(),
    response: exportPlanSchema,
  },
  /** Asks for the place in a native dialog, then writes; `null`: none chosen. */
  'profiles.export': {
    request: z.object({ name: profileNameSchema, format: exportFormatSchema }).strict(),
    response: z.object({ path: z.string().nullable(), problems: z.array(fileProblemSchema) }),
  },
  /** Asks for a folder of the robot's own app whose profiles are edited in place from now on; `close`: no more. */
  'profiles.editFolder': {
    request: z.object({ action: z.enum(['choose', 'close']) }).strict(),
    response: profilesSnapshotSchema,
  },

  /** The whole registry with what this profile enables; without a profile the active one. */
  'tools.list': { request: z.object({ profile: profileNameSchema.optional() }).strict(), response: toolListSchema },
  /** Estimated tokens of every tool of the registry, for the context meter. */
  'tools.weights': { request: z.object({ profile: profileNameSchema }).strict(), response: toolWeightsSchema },
  /** The text of a local tool's file, for the person who is asked whether it may run. */
  'tools.readFile': {
    request: z.object({ path: z.string().max(4_000) }).strict(),
    response: z.object({ text: z.string(), sha256: z.string() }),
  },
  /** Lets a file with exactly these bytes run in a process of its own; starts it once to learn what it offers. */
  'tools.allow': {
    request: z.object({ path: z.string().max(4_000), sha256: z.string().max(64) }).strict(),
    response: toolFileInfoSchema,
  },
  'tools.forbid': { request: z.object({ path: z.string().max(4_000) }).strict(), response: done },
  'tools.log': { request: z.object({ path: z.string().max(4_000) }).strict(), response: toolLogSchema },
  /** A working example to begin with, in `external_tools` or in a profile's folder. */
  'tools.createFile': {
    request: z
      .object({ language: toolLanguageSchema, name: z.string().max(64), profile: profileNameSchema.nullable() })
      .strict(),
    response: toolFileInfoSchema,
  },
  /** Shows the file in the system's file manager. It is never opened: for some systems opening a script means running it. */
  'tools.showFile': { request: z.object({ path: z.string().max(4_000) }).strict(), response: done },

  'chat.get': { request: nothing, response: conversationSchema },
  'chat.new': { request: nothing, response: conversationSchema },
  'chat.suggestions': { request: nothing, response: z.object({ suggestions: z.array(suggestionSchema) }) },
  /** Answers when the message is accepted; what follows comes as events. `provider: offline` asks the offline brain for this once. */
  'chat.send': {
    request: z
      .object({ text: z.string().min(1).max(MAX_MESSAGE), provider: z.enum(['set', 'offline']).default('set') })
      .strict(),
    response: z.object({ messageId: z.string() }),
  },
  /** Answers a call that waits; `tools/denied` when it waits no more. */
  'chat.approve': {
    request: z.object({ callId: z.string().max(200), answer: approvalAnswerSchema }).strict(),
    response: done,
  },
  /** Text, calls and motion. */
  'chat.stop': { request: nothing, response: done },

  /** `fresh` looks again: ports are opened for a moment and asked, daemons of this network are listened for. */
  'robot.list': {
    request: z.object({ fresh: z.boolean().default(false) }).strict(),
    response: z.object({ robots: z.array(robotSummarySchema) }),
  },
  /** The one in use goes to sleep and is let go first. Answers when the new one is ready, or says why not. */
  'robot.connect': { request: z.object({ id: robotId }).strict(), response: robotStateSchema },
  'robot.disconnect': { request: nothing, response: robotStateSchema },
  /** A serial port, or the address of a daemon. */
  'robot.add': { request: z.object({ text: z.string().max(300) }).strict(), response: robotSummarySchema },
  'robot.forget': { request: z.object({ id: robotId }).strict(), response: done },
  'robot.torque': { request: z.object({ on: z.boolean() }).strict(), response: robotStateSchema },
  /** Where the person wants body and head now; the last one counts. Holds the body until a second after the last. */
  'robot.jog': { request: jogSchema.strict(), response: done },
  /** Clears what a motor latched. It goes limp for a moment: the head has to be supported. */
  'robot.rebootMotor': { request: z.object({ id: z.number().int() }).strict(), response: robotStateSchema },
  /** A report as text, without anything about the person. */
  'robot.diagnostics': { request: nothing, response: z.object({ text: z.string() }) },
  /** `null` where no right is needed. */
  'robot.permissionHelp': { request: nothing, response: z.object({ help: permissionHelpSchema.nullable() }) },
  'robot.state': { request: nothing, response: robotStateSchema },
  'robot.emergencyStop': { request: nothing, response: z.object({ confirmed: z.boolean() }) },
  /** Ends the emergency stop: torque on at the present position. */
  'robot.enable': { request: nothing, response: robotStateSchema },
  'robot.wake': { request: nothing, response: done },
  'robot.sleep': { request: nothing, response: done },
  /** Ends the running move and holds the pose. */
  'robot.stop': { request: nothing, response: done },
  'robot.moves': { request: nothing, response: z.object({ moves: z.array(moveInfoSchema) }) },
  'robot.trajectory': { request: z.object({ move: z.string().max(100) }).strict(), response: trajectorySchema },
  /** Answers when the move has started. */
  'robot.play': { request: z.object({ move: z.string().max(100) }).strict(), response: done },

  /** Libraries of recorded moves on the Hub, and what is being recorded by hand. */
  'moves.shelf': { request: nothing, response: moveShelfSchema },
  /** Begins to fetch a library, or goes on; `newest` takes the commit that its dataset is at now. Progress and end come as events. */
  'moves.download': {
    request: z.object({ id: libraryId, newest: z.boolean().default(false) }).strict(),
    response: moveShelfSchema,
  },
  /** What arrived stays for the next time. */
  'moves.cancelDownload': { request: z.object({ id: libraryId }).strict(), response: done },
  'moves.removeLibrary': { request: z.object({ id: libraryId }).strict(), response: moveShelfSchema },
  /** Asks for a file or a folder of recorded moves in a native dialog and takes them over; `null`: none chosen. */
  'moves.import': {
    request: z.object({ from: z.enum(['file', 'folder']), kind: moveKind.default('emotion') }).strict(),
    response: z.object({ result: moveImportSchema.nullable() }),
  },
  /** Of a move of the person's own. */
  'moves.rename': {
    request: z.object({ name: moveName, to: z.string().max(200) }).strict(),
    response: z.object({ name: z.string(), undoId: z.string() }),
  },
  'moves.remove': {
    request: z.object({ name: moveName }).strict(),
    response: z.object({ undoId: z.string() }),
  },
  /** Takes back an import, a rename, a removal or what was kept of a recording. */
  'moves.undo': { request: z.object({ undoId: z.string().max(64) }).strict(), response: done },
  /** Asks for the place in a native dialog, then writes; `null`: none chosen. */
  'moves.export': {
    request: z.object({ name: moveName, format: moveFormatSchema }).strict(),
    response: z.object({ path: z.string().nullable() }),
  },
  /** What is heard with a move; `null`: nothing. */
  'moves.sound': {
    request: z.object({ name: moveName }).strict(),
    response: z.object({ sound: z.object({ type: z.string(), base64: z.string() }).nullable() }),
  },
  /** `start`: torque goes off, the head has to be held. `play` plays what was recorded; `discard` forgets it. */
  'moves.record': {
    request: z.object({ action: z.enum(['start', 'stop', 'play', 'discard']) }).strict(),
    response: moveRecordingSchema,
  },
  /** What was recorded and not kept yet, as the robot would play it. */
  'moves.recorded': { request: nothing, response: trajectorySchema },
  'moves.keep': {
    request: z
      .object({
        name: z.string().max(200),
        kind: moveKind.default('emotion'),
        description: z.string().max(300).default(''),
      })
      .strict(),
    response: z.object({ name: z.string(), undoId: z.string() }),
  },
} as const satisfies Record<string, { request: z.ZodType; response: z.ZodType }>

export type Routes = typeof ROUTES
export type RouteName = keyof Routes
export type RouteRequest<R extends RouteName> = z.input<Routes[R]['request']>
export type RouteResponse<R extends RouteName> = z.output<Routes[R]['response']>

/** What the main process announces. Each carries a snapshot; everything can be read again by a route. */
export const EVENTS = {
  'settings.changed': settingsSnapshotSchema,
  'spaces.changed': spacesSnapshotSchema,
  'spaces.progress': installProgressSchema,
  'servers.changed': serversSnapshotSchema,
  'profiles.changed': profilesSnapshotSchema,
  /** The registry was rebuilt; lists are read again per profile. */
  'tools.changed': z.object({ version: z.number().int() }),
  /** A local tool wrote something, or its process came or went. */
  'tools.log': z.object({ path: z.string() }),
  /** The conversation as a whole was replaced, or its frame (title, busy, profile) changed. */
  'chat.changed': conversationSchema,
  /** One message is new or changed in structure. */
  'chat.message': z.object({ conversationId: z.string(), message: chatMessageSchema }),
  /** Text was added to the end of part `part` of a message; `length` is the part's length before it. */
  'chat.delta': z.object({
    conversationId: z.string(),
    messageId: z.string(),
    part: z.number().int(),
    length: z.number().int(),
    text: z.string(),
  }),
  'robot.changed': robotStateSchema,
  /** Moves came or went, or a library or a recording changed: the list of moves is read again. */
  'moves.changed': moveShelfSchema,
  /** The sound of this move begins; `null`: it is cut off. */
  'moves.sounds': z.object({ move: z.string().nullable() }),
  /** Robots came, went or changed. */
  'robots.changed': z.object({ robots: z.array(robotSummarySchema) }),
  /** Move to a screen (menu, shortcut). */
  'app.navigate': z.object({
    screen: z.enum(['chat', 'spaces', 'profiles', 'robot', 'settings']),
    /** A Space to show on the Spaces screen: opens its preview, installs nothing. */
    space: slug.optional(),
  }),
} as const satisfies Record<string, z.ZodType>

export type Events = typeof EVENTS
export type EventName = keyof Events
export type EventPayload<E extends EventName> = z.output<Events[E]>
