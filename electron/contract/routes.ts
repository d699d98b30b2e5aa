import { z } from 'zod'

import { conversationSchema, chatMessageSchema, suggestionSchema } from './chat.ts'
import { profileDocumentSchema, profileNameSchema, profilesSnapshotSchema, toolsDraftSchema } from './profiles.ts'
import { moveInfoSchema, robotStateSchema, robotSummarySchema, trajectorySchema } from './robot.ts'
import { settingsPatchSchema, settingsSnapshotSchema } from './settings.ts'
import {
  installProgressSchema,
  installResultSchema,
  removeResultSchema,
  spaceFilterSchema,
  spacePreviewSchema,
  spaceSearchSchema,
  spaceSortSchema,
  spacesSnapshotSchema,
} from './spaces.ts'
import { toolListSchema } from './tools.ts'

const nothing = z.object({}).strict()
const done = z.object({})
const operationId = z.string().min(1).max(64)
const slug = z.string().min(3).max(200)
/** Longest text a person may type into one message; longer is refused, not cut. */
const MAX_MESSAGE = 32_000
const MAX_FILE = 1_000_000

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
        filters: z.array(spaceFilterSchema).max(4),
        sort: spaceSortSchema,
        limit: z.number().int().min(1).max(100),
      })
      .strict(),
    response: spaceSearchSchema,
  },
  /** Validate, Wake, Connect, Discover. Nothing on disk changes. */
  'spaces.preview': {
    request: z.object({ operationId, ref: z.string().min(1).max(500) }).strict(),
    response: spacePreviewSchema,
  },
  /** Enable: manifest and profile together or not at all. Only what a preview showed can be installed. */
  'spaces.install': {
    request: z
      .object({ operationId, toolIds: z.array(z.string()).max(200), profile: profileNameSchema.nullable() })
      .strict(),
    response: installResultSchema,
  },
  'spaces.cancel': { request: z.object({ operationId }).strict(), response: done },
  'spaces.remove': { request: z.object({ slug }).strict(), response: removeResultSchema },
  'spaces.undo': { request: z.object({ undoId: z.string().max(64) }).strict(), response: spacesSnapshotSchema },

  'profiles.list': { request: nothing, response: profilesSnapshotSchema },
  'profiles.read': { request: z.object({ name: profileNameSchema }).strict(), response: profileDocumentSchema },
  'profiles.use': { request: z.object({ name: profileNameSchema }).strict(), response: profilesSnapshotSchema },
  /** New profile, as a copy of `from`. */
  'profiles.create': {
    request: z.object({ name: z.string().max(200), from: profileNameSchema }).strict(),
    response: profileDocumentSchema,
  },
  /** Absent texts are left alone. `revision` is the one that was read: a file changed outside since is never overwritten. */
  'profiles.save': {
    request: z
      .object({
        name: profileNameSchema,
        revision: z.string(),
        toolsText: z.string().max(MAX_FILE).optional(),
        instructionsText: z.string().max(MAX_FILE).optional(),
      })
      .strict(),
    response: profileDocumentSchema,
  },
  /** Edits an unsaved tools.txt by line and diagnoses it; writes nothing. `toolsText: null` starts from the inherited list. */
  'profiles.draft': {
    request: z
      .object({
        name: profileNameSchema,
        toolsText: z.string().max(MAX_FILE).nullable(),
        enable: z.array(z.string().max(300)).max(200),
        disable: z.array(z.string().max(300)).max(200),
      })
      .strict(),
    response: toolsDraftSchema,
  },

  /** The whole registry with what this profile enables; without a profile the active one. */
  'tools.list': { request: z.object({ profile: profileNameSchema.optional() }).strict(), response: toolListSchema },

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
  /** Text, calls and motion. */
  'chat.stop': { request: nothing, response: done },

  'robot.list': { request: nothing, response: z.object({ robots: z.array(robotSummarySchema) }) },
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
  'profiles.changed': profilesSnapshotSchema,
  /** The registry was rebuilt; lists are read again per profile. */
  'tools.changed': z.object({ version: z.number().int() }),
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
  /** Move to a screen (menu, shortcut). */
  'app.navigate': z.object({ screen: z.enum(['chat', 'spaces', 'profiles', 'robot', 'settings']) }),
} as const satisfies Record<string, z.ZodType>

export type Events = typeof EVENTS
export type EventName = keyof Events
export type EventPayload<E extends EventName> = z.output<Events[E]>
