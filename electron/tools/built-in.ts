import type { JsonObject } from '../contract/index.ts'

/** Directions of `move_head`. */
export const DIRECTIONS = ['left', 'right', 'up', 'down', 'front'] as const

/** Repeats of one dance call; larger numbers are cut and the result says so. */
export const MAX_REPEAT = 8

/** Why a tool of the conversation app has nothing behind it here. */
export type MissingPart = 'no-camera' | 'no-head-tracking' | 'no-memory' | 'no-volume' | 'no-daemon'

export interface BuiltIn {
  readonly id: string
  readonly description: string
  readonly parameters: JsonObject
  /** Moves the body: calls of one turn run one after another. */
  readonly ordered: boolean
  /** Always on, no line of `tools.txt`. */
  readonly system: boolean
  readonly missing?: MissingPart
  /** Argument names whose listed choices are suggestions: other words are understood too. */
  readonly freeChoice?: readonly string[]
}

export interface BodyWords {
  /** Feelings that `play_emotion` understands. */
  readonly intents: readonly string[]
  readonly dances: ReadonlyArray<{ name: string; description: string }>
}

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required: [...required] } : {}),
})

/** The conversation app's stop tools carry this parameter because its tool format wanted one; it means nothing. */
const dummy = object({ dummy: { type: 'boolean', description: 'Not used.' } })

/**
 * The tools of the robot's own conversation app (pollen-robotics/reachy_mini_conversation_app, `tools/`), by its names,
 * parameters and results, so that every profile written for it works here. Descriptions are ours. Tools without a part
 * behind them in this app are listed with the reason instead of being unknown.
 */
export function builtInTools(body: BodyWords): BuiltIn[] {
  return [...motionTools(body), ...otherTools(), ...systemTools()]
}

function motionTools(body: BodyWords): BuiltIn[] {
  const motion = (id: string, description: string, parameters: JsonObject, more: Partial<BuiltIn> = {}): BuiltIn => ({
    id,
    description,
    parameters,
    ordered: true,
    system: false,
    ...more,
  })
  const dances = body.dances.map(({ name, description }) => (description ? `${name}: ${description}` : name)).join('; ')
  return [
    motion(
      'play_emotion',
      'Shows a feeling with the whole body: a recorded movement of head, antennas and body. Use it when a feeling fits what was said. ' +
        'For agreement and refusal prefer the finer words (yes_understanding, no_sad, no_excited, no_firm) where a plain yes or no would lose the meaning. ' +
        'Leave the emotion out, or say "random", when none fits.',
      object({ emotion: { type: 'string', enum: [...body.intents], description: 'The feeling to show.' } }),
      { freeChoice: ['emotion'] },
    ),
    motion('stop_emotion', 'Ends the emotion that is playing and forgets those waiting. Dances go on.', dummy),
    motion(
      'dance',
      `Dances once or several times. Leave the move out for a surprise. ${dances ? `Moves: ${dances}.` : ''}`.trim(),
      object({
        move: {
          type: 'string',
          ...(body.dances.length > 0 ? { enum: body.dances.map(({ name }) => name) } : {}),
          description: 'Which dance; any when left out.',
        },
        repeat: { type: 'integer', minimum: 1, default: 1, description: `How many times, at most ${MAX_REPEAT}.` },
      }),
    ),
    motion('stop_dance', 'Ends the dance that is playing and forgets those waiting. Emotions go on.', dummy),
    motion(
      'move_head',
      'Turns the head to one side as seen from the robot, up, down, or back to the front.',
      object({ direction: { type: 'string', enum: [...DIRECTIONS], description: 'Where to look.' } }, ['direction']),
    ),
    motion(
      'sweep_look',
      'Looks around slowly: left, right, and back to the centre, about 14 seconds. Ends what is playing first.',
      object({}),
    ),
    motion(
      'go_to_sleep',
      'Lays the robot down to sleep and ends its activity. Only when the person clearly asks the robot itself to sleep or to stop for now. ' +
        'Never for a sleepy feeling (that is play_emotion), for silence, or when in doubt.',
      object({}),
    ),
  ]
}

function otherTools(): BuiltIn[] {
  const without = (id: string, missing: MissingPart, description: string, parameters: JsonObject): BuiltIn => ({
    id,
    description,
    parameters,
    ordered: false,
    system: false,
    missing,
  })
  return [
    {
      id: 'idle_do_nothing',
      description: 'Stays quiet and still. Only as the answer to an idle update, never to a person.',
      parameters: object({ reason: { type: 'string', description: 'Why nothing is done.' } }),
      ordered: false,
      system: false,
    },
    without(
      'camera',
      'no-camera',
      "Takes one picture with the robot's camera now and answers a question about it.",
      object({ question: { type: 'string', description: 'What to find out from the picture.' } }, ['question']),
    ),
    without(
      'head_tracking',
      'no-head-tracking',
      'Starts or stops following the face of the person in front of the robot.',
      object({ enabled: { type: 'boolean', description: 'true to follow, false to stop.' } }, ['enabled']),
    ),
    without(
      'remember',
      'no-memory',
      'Keeps one short, lasting fact about the person for later conversations, in the third person. Nothing sensitive; no word about it.',
      object({ fact: { type: 'string', description: 'One fact.' } }, ['fact']),
    ),
    without(
      'forget',
      'no-memory',
      'Deletes a remembered fact that contains the given words; upper and lower case do not matter.',
      object({ query: { type: 'string', description: 'A few words out of the fact.' } }, ['query']),
    ),
    without(
      'volume_control',
      'no-volume',
      "Reads or sets the loudness of the robot's speaker or the gain of its microphone.",
      object({
        device: { type: 'string', enum: ['speaker', 'microphone'], description: 'Which one.' },
        level: { type: 'integer', minimum: 0, maximum: 100, description: 'Per cent; left out to read it.' },
      }),
    ),
    without(
      'robot_status',
      'no-daemon',
      "Tells about the robot's computer: its name, software, network, account, motion sensor, installed apps.",
      object(
        {
          topic: {
            type: 'string',
            enum: ['name', 'software', 'wifi', 'account', 'imu', 'apps'],
            description: 'What to tell.',
          },
        },
        ['topic'],
      ),
    ),
  ]
}

function systemTools(): BuiltIn[] {
  return [
    {
      id: 'task_status',
      description: 'Tells which tool calls are running now, or how one of them stands.',
      parameters: object({
        tool_id: { type: 'string', description: 'The tool_id of one call; all running ones when left out.' },
      }),
      ordered: false,
      system: true,
    },
    {
      id: 'task_cancel',
      description: 'Ends a tool call that is still running.',
      parameters: object({ tool_id: { type: 'string', description: 'The tool_id that task_status told.' } }, [
        'tool_id',
      ]),
      ordered: false,
      system: true,
    },
  ]
}
