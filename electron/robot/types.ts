import type {
  Jog,
  MoveFormat,
  MoveImport,
  MoveInfo,
  MoveLibraryState,
  MoveRecording,
  RobotState,
  RobotSummary,
  Trajectory,
  Unsubscribe,
} from '../contract/index.ts'
import type { SoundDirection } from './audio-board/audio-board.ts'
import type { AmbientInput, Posture } from './motion/ambient.ts'
import type { Technique } from './motion/interpolation.ts'

export type { AmbientInput, Posture, Technique }
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

/** Moves besides the starter ones: libraries of the Hub, and the person's own. */
export interface MoveShelf {
  /** Moves, or the state of a library or a recording, changed. */
  onChange(listener: () => void): Unsubscribe
  libraries(): MoveLibraryState[]
  /**
   * Fetches what is missing of a library; its moves are there when this resolves.
   * @throws CompanionError `library/*`, `hub/*`, `storage/failed`, `app/cancelled`.
   */
  download(id: string, options?: { newest?: boolean }): Promise<void>
  /** What arrived stays for the next download. */
  cancelDownload(id: string): void
  removeLibrary(id: string): Promise<void>
  /** Takes over a file of a recorded move, or all of a folder. @throws CompanionError `storage/*`. */
  import(place: string, kind: MoveInfo['kind']): Promise<MoveImport>
  /** @throws CompanionError `move/not-yours`, `move/bad-name`, `move/exists`, `storage/*`. */
  rename(name: string, to: string): Promise<{ name: string; undoId: string }>
  /** @throws CompanionError `move/not-yours`, `storage/*`. */
  remove(name: string): Promise<{ undoId: string }>
  /** @throws CompanionError `app/cancelled`, `storage/conflict`, `move/exists`. */
  undo(undoId: string): Promise<void>
  /** A move as the robot plays it, after limits, at 50 Hz. @throws CompanionError `robot/unknown-move`, `move/*`. */
  export(name: string, format: MoveFormat): { fileName: string; text: string }
  /** Writes it. @throws also CompanionError `storage/failed`. */
  exportTo(name: string, format: MoveFormat, file: string): Promise<void>
  /** What is heard with a move; `null`: nothing, or its file is gone. */
  sound(name: string): Promise<{ type: string; bytes: Uint8Array } | null>
}

/** Recording a move by hand. */
export interface MoveRecorder {
  state(): MoveRecording
  /**
   * Ends every motion, switches torque off and takes down where a person guides the robot, for a minute at most. The head
   * sinks where nobody holds it. What was recorded before and not kept is forgotten.
   */
  start(): Motion
  /** Torque stays off. */
  stop(): void
  /** @throws CompanionError `move/no-recording`. */
  trajectory(): Trajectory
  /** @throws CompanionError `move/no-recording`. */
  play(): Motion
  /** @throws CompanionError `move/no-recording`, `move/bad-name`, `move/exists`, `storage/*`. */
  keep(name: string, about: { kind: MoveInfo['kind']; description: string }): Promise<{ name: string; undoId: string }>
  discard(): void
}

export interface Robot {
  /**
   * Robots found: adapters of this computer, daemons, the simulator last.
   * @param options `fresh` looks again: ports are opened for a moment, the network is listened to.
   */
  list(options?: { fresh?: boolean }): Promise<RobotSummary[]>
  /** Robots came, went, or another one was taken. */
  onFound(listener: (robots: RobotSummary[]) => void): Unsubscribe
  state(): RobotState
  /** At most 20 times a second while something moves, at once when anything else changed. */
  onChange(listener: (state: RobotState) => void): Unsubscribe
  /** Connects to the robot of this run, to the one of last time, or to the simulator. */
  start(): Promise<void>
  /**
   * Lets the present robot go (it lies down first) and takes another, which is remembered. A real one moves nothing before
   * somebody asks.
   * @throws CompanionError `robot/…` why it cannot be used; it is tried again by itself where that may help.
   */
  connect(id: string): Promise<void>
  disconnect(): Promise<void>
  /** Remembers a serial port or the address of a daemon. @throws CompanionError `robot/bad-place` for text that is neither. */
  add(text: string): Promise<RobotSummary>
  forget(id: string): Promise<void>

  /**
   * Torque off, before every queue. `confirmed` is what the motors answered, false when they did not.
   * Stays in force until {@link enable}.
   */
  emergencyStop(): Promise<{ confirmed: boolean }>
  /** Pins every goal to the present position, then torque on. */
  enable(): Promise<void>

  /** On: as {@link enable}. Off: the head sinks where it is, without lying down. */
  setTorque(on: boolean): Promise<void>
  /**
   * Moves body, head and antennas to where a person wants them now; the last wish counts. Ends other motions at the first.
   * The motion ends a second after the last wish.
   */
  jog(wish: Jog): Motion
  /** Restarts a motor that switched itself off. @throws CompanionError `robot/missing-motors`, `robot/unknown-device` over a daemon. */
  rebootMotor(id: number): Promise<void>
  /**
   * Where the microphones of a robot on this computer hear somebody; asked as often as wanted, ten times a second at most is
   * worth while. @throws CompanionError `robot/not-found` without its audio board, `robot/no-permission`, `robot/unreadable`.
   */
  soundDirection(): Promise<SoundDirection>
  /** English text for whoever helps. */
  diagnostics(): Promise<string>
  /** Before the computer sleeps: lies down, lets the port go. */
  suspend(): Promise<void>
  resume(): void

  wake(): Motion
  sleep(): Motion
  /** @throws CompanionError `robot/unknown-move`, `move/unreadable`, `library/damaged`. */
  play(move: string): Motion
  /** yaw ±40°, pitch ±30°, 1 s: `move_head` of pollen-robotics/reachy_mini_conversation_app. */
  lookTo(direction: HeadDirection): Motion
  /** The slow look left, right, centre (`sweep_look` of the same app), 14 s. */
  sweepLook(): Motion
  /**
   * To a posture in `seconds` (longer where that would be hasty); absent parts stay. Limits apply as to every motion.
   */
  goTo(goal: Jog, seconds: number, technique?: Technique): Motion
  /** Two small nods from where the head is, 1.2 s. */
  nod(): Motion
  /**
   * What the robot is about while it talks with somebody: a small offset that fades in and out, under every motion.
   * `null`: nothing. Holds until it is changed; moves nothing while the robot sleeps.
   */
  posture(name: Posture | null): void
  /** Small movements beside the motions, 0 (off, as at the start) … 1; each fades. */
  ambient(input: AmbientInput, weight: number): void
  /**
   * Loudness (dB of full scale) of speech, one value per 50 ms, played from `at` on (ms of the robot's clock; now when
   * absent): the head sways with it while `speech` is on. `null`: it was cut off.
   */
  hear(decibels: readonly number[] | null, at?: number): void
  /** Where a face is, radians (yaw to the robot's left, pitch down), for `tracking`; `null`: none is seen. */
  aim(direction: { yaw: number; pitch: number } | null): void
  /** Ends motions and clears their queue, holds the pose. `kind` limits it to emotions or dances. */
  stopMotion(kind?: 'emotion' | 'dance'): void

  readonly shelf: MoveShelf
  readonly recorder: MoveRecorder
  /**
   * A move with a sound began to play, or was stopped (`null`). One that plays through lets its sound ring out.
   */
  onSound(listener: (move: string | null) => void): Unsubscribe
  moves(): MoveInfo[]
  /** @throws CompanionError `robot/unknown-move`. */
  trajectory(move: string): Trajectory
  /** Resolves an intent, a clip's name or a feeling in any of the interface's languages to a move name; the unknown is drawn at random. */
  resolveEmotion(intent: string): string

  /** Sleep first when torque is on, then torque off; at most 7 s. */
  dispose(): Promise<void>
}
