import type { MoveInfo, RobotState, RobotSummary, Trajectory, Unsubscribe } from '../contract/index.ts'

export type HeadDirection = 'left' | 'right' | 'up' | 'down' | 'front'

/** How a motion ended. */
export interface MotionEnd {
  readonly ended: 'done' | 'stopped'
  /** Some frame left the workspace or a limit and was clamped. */
  readonly clamped: boolean
  /** Seconds. */
  readonly duration: number
}

/**
 * A motion that has the body or waits for it. Motions queue: the next begins when the one before has ended. One that is
 * asked for while the robot is asleep switches torque on first.
 */
export interface Motion {
  /** Resolves when the body begins to follow it; of one that is stopped before that, just after {@link ended}. */
  readonly started: Promise<void>
  /** Never rejects for a stop; rejects with CompanionError `robot/stopped` while an emergency stop is in force, with
   * another `robot/…` when the robot is lost. */
  readonly ended: Promise<MotionEnd>
  stop(): void
}

export interface Robot {
  list(): Promise<RobotSummary[]>
  state(): RobotState
  /** At most 20 times a second while something moves, at once when anything else changed. */
  onChange(listener: (state: RobotState) => void): Unsubscribe
  /** Opens the driver and starts the control loop. */
  start(): Promise<void>

  /**
   * Torque off, before every queue. `confirmed` is what the motors answered, false when they did not.
   * Stays in force until {@link enable}.
   */
  emergencyStop(): Promise<{ confirmed: boolean }>
  /** Pins every goal to the present position, then torque on. */
  enable(): Promise<void>

  wake(): Motion
  sleep(): Motion
  play(move: string): Motion
  /** yaw ±40°, pitch ±30°, 1 s: `move_head` of pollen-robotics/reachy_mini_conversation_app. */
  lookTo(direction: HeadDirection): Motion
  /** The slow look left, right, centre (`sweep_look` of the same app), 14 s. */
  sweepLook(): Motion
  /** Ends motions and clears their queue, holds the pose. `kind` limits it to emotions or dances. */
  stopMotion(kind?: 'emotion' | 'dance'): void

  moves(): MoveInfo[]
  /** @throws CompanionError `robot/unknown-move`. */
  trajectory(move: string): Trajectory
  /** Resolves an intent, a clip's name or a feeling in any of the interface's languages to a move name; the unknown is drawn at random. */
  resolveEmotion(intent: string): string

  /** Sleep first when torque is on, then torque off; at most 7 s. */
  dispose(): Promise<void>
}
