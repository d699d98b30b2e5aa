import { z } from 'zod'

import { problemSchema } from './errors.ts'

/** Metres and radians, in the world (foot) frame relative to the rest height; R = Rz(yaw)·Ry(pitch)·Rx(roll). */
export const headPoseSchema = z.object({
  x: z.number(),
  y: z.number(),
  z: z.number(),
  roll: z.number(),
  pitch: z.number(),
  yaw: z.number(),
})
export type HeadPose = z.infer<typeof headPoseSchema>

export const robotKindSchema = z.enum(['simulator', 'serial', 'daemon'])
export const robotConnectionSchema = z.enum([
  'ready',
  'connecting',
  'busy',
  'no-permission',
  'no-power',
  'missing-motors',
  'unknown-device',
  'absent',
])

export const robotActivitySchema = z.object({
  /** `by-hand`: a person moves it from the screen, or guides it with torque off. */
  kind: z.enum(['asleep', 'awake', 'waking', 'going-to-sleep', 'emotion', 'dance', 'moving', 'by-hand', 'stopped']),
  /** The move's name, or a direction. */
  name: z.string().optional(),
  /** Seconds. */
  elapsed: z.number().optional(),
  duration: z.number().optional(),
})
export type RobotActivity = z.infer<typeof robotActivitySchema>

export const motorStateSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Radians. */
  angle: z.number(),
  /** °C; volts. */
  temperature: z.number().nullable(),
  voltage: z.number().nullable(),
  /** Share of the current that it may draw, 0 … 1. */
  load: z.number().nullable(),
  /** Holds its position; `null`: not told. */
  torque: z.boolean().nullable(),
  /** Cannot be used before it was restarted. */
  latched: z.boolean(),
  error: z.string().optional(),
})
export type MotorState = z.infer<typeof motorStateSchema>

/** What the motors say, not what was asked of them. */
export const robotStateSchema = z.object({
  version: z.number().int(),
  id: z.string(),
  kind: robotKindSchema,
  name: z.string(),
  connection: robotConnectionSchema,
  /** Why it is not connected, or not yet again. */
  problem: problemSchema.optional(),
  /** It was lost, and is looked for. */
  reconnecting: z.boolean(),
  /** Control periods a second; 0 when none run. */
  rateHz: z.number(),
  torque: z.boolean(),
  /** Emergency stop is in force: torque is off until the person enables again. */
  stopped: z.boolean(),
  head: headPoseSchema,
  /** Radians. */
  bodyYaw: z.number(),
  /** [right, left], radians. */
  antennas: z.tuple([z.number(), z.number()]),
  /** stewart_1 … stewart_6, radians. */
  stewart: z.array(z.number()).length(6),
  activity: robotActivitySchema,
  motors: z.array(motorStateSchema),
})
export type RobotState = z.infer<typeof robotStateSchema>

export const amplitudeSchema = z.object({
  /** Gentle ≤ 20° and ≤ 90°/s, Lively ≤ 40° and ≤ 180°/s, else Large; antennas count half. */
  word: z.enum(['gentle', 'lively', 'large']),
  /** Radians; radians a second; head or body. */
  maxAngle: z.number(),
  maxSpeed: z.number(),
})

export const moveFamilySchema = z.enum(['joy', 'calm', 'curious', 'unsure', 'sad', 'fear', 'anger', 'dance', 'other'])
export type MoveFamily = z.infer<typeof moveFamilySchema>

/** What had to be put right in a recorded move. */
export const moveNoteSchema = z.enum(['times-sorted', 'samples-left-out', 'rotations-repaired', 'lengths-differ'])
export type MoveNote = z.infer<typeof moveNoteSchema>

export const moveInfoSchema = z.object({
  /** Unique: a starter move's own name, else `library:name`, and `mine:name` for what the person keeps. */
  name: z.string(),
  kind: z.enum(['emotion', 'dance']),
  family: moveFamilySchema,
  description: z.string(),
  /** Seconds. */
  duration: z.number(),
  hasSound: z.boolean(),
  amplitude: amplitudeSchema,
  /** The name without its library; absent where it is the same. */
  title: z.string().optional(),
  /** `starter` when absent, ID of a library, `imported`, `recorded`. */
  source: z.string().optional(),
  /** Some of it is out of the robot's reach or too fast, and is cut when it plays; absent: not looked at yet, or nothing. */
  clamped: z.boolean().optional(),
  notes: z.array(moveNoteSchema).optional(),
})
export type MoveInfo = z.infer<typeof moveInfoSchema>

/** A library of recorded moves on the Hub, and what of it is on this computer. */
export const moveLibrarySchema = z.object({
  id: z.string(),
  /** `owner/name` of the dataset. */
  dataset: z.string(),
  kind: z.enum(['emotion', 'dance']),
  /** `ready` stays `ready` while a newer one is fetched: see `progress`. */
  state: z.enum(['absent', 'ready']),
  /** A download is under way, bytes; `total` 0: not known yet. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
  /** Commit that is here; it never changes by itself. */
  revision: z.string().optional(),
  moves: z.number().int(),
  bytes: z.number().int(),
  /** A download was begun and not finished: the next one goes on from there. */
  resumable: z.boolean(),
  /** Why the last download failed. */
  problem: problemSchema.optional(),
})
export type MoveLibraryState = z.infer<typeof moveLibrarySchema>

/** What became of the files that a person chose. */
export const moveImportSchema = z.object({
  /** Names of the moves that are there now. */
  imported: z.array(z.string()),
  problems: z.array(problemSchema.extend({ file: z.string() })),
  undoId: z.string().optional(),
})
export type MoveImport = z.infer<typeof moveImportSchema>

/** The public format of recorded moves, or one episode in the words of LeRobot's datasets as JSON. */
export const moveFormatSchema = z.enum(['recorded-move', 'lerobot'])
export type MoveFormat = z.infer<typeof moveFormatSchema>

/** What is being recorded by hand, and what was recorded and not kept yet. */
export const moveRecordingSchema = z.object({
  state: z.enum(['none', 'waiting', 'recording', 'recorded']),
  /** Seconds. */
  seconds: z.number(),
  /** It ends by itself then, seconds. */
  limit: z.number(),
})
export type MoveRecording = z.infer<typeof moveRecordingSchema>

/** What there is of moves besides the list of them. */
export const moveShelfSchema = z.object({ libraries: z.array(moveLibrarySchema), recording: moveRecordingSchema })
export type MoveShelfState = z.infer<typeof moveShelfSchema>

/** A move as the robot would play it, after limits. Frame k is at k·dt seconds. */
export const trajectorySchema = z.object({
  name: z.string(),
  /** Seconds between frames. */
  dt: z.number(),
  /** [x, y, z, roll, pitch, yaw, bodyYaw, rightAntenna, leftAntenna] a frame, flat. */
  frames: z.array(z.number()),
  duration: z.number(),
  clamped: z.boolean(),
})
export type Trajectory = z.infer<typeof trajectorySchema>

export const robotSummarySchema = z.object({
  id: z.string(),
  kind: robotKindSchema,
  name: z.string(),
  state: z.enum(['ready', 'busy', 'no-permission', 'no-power', 'missing-motors', 'unknown-device', 'absent']),
  missing: z.array(z.string()).optional(),
  /** Port or address. */
  place: z.string().optional(),
  serialNumber: z.string().optional(),
  /** Version of the daemon. */
  version: z.string().optional(),
  /** The one that this app drives. */
  connected: z.boolean(),
  /** Added by the person: can be forgotten. */
  added: z.boolean(),
  /** ID of the robot of this list whose daemon holds this port. */
  heldBy: z.string().optional(),
  /** Name of the program that has it. */
  holder: z.string().optional(),
})
export type RobotSummary = z.infer<typeof robotSummarySchema>

/** What a person asks for by hand; absent parts stay. Metres and radians. */
export const jogSchema = z.object({
  head: headPoseSchema.partial().optional(),
  bodyYaw: z.number().optional(),
  antennas: z.tuple([z.number(), z.number()]).optional(),
})
export type Jog = z.infer<typeof jogSchema>

/** How an account gets the right to use the robot's port on this system. */
export const permissionHelpSchema = z.object({
  distribution: z.string(),
  group: z.string(),
  /** One shell line. */
  command: z.string(),
})
export type PermissionHelp = z.infer<typeof permissionHelpSchema>
