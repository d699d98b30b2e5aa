import type { Frame } from '../kinematics/frame.ts'

/** What a motor says about itself besides its position. */
export interface MotorHealth {
  /** °C; volts; milliamperes, signed. `null`: whatever leads to the motors does not tell. */
  readonly temperature: number | null
  readonly voltage: number | null
  readonly current: number | null
  readonly torque: boolean
  /** Bits of the hardware error status, without an input voltage that is normal for this robot. */
  readonly hardwareError: number
}

/**
 * Nine joints behind whatever leads to them. Joint order: body, stewart_1 … stewart_6, right antenna, left antenna;
 * radians. Every method rejects with a CompanionError `robot/…`.
 */
export interface BodyDriver {
  /** Nobody else can reach the motors while this driver has them: what it leaves behind, nobody switches off. */
  readonly exclusive: boolean
  /**
   * Finds the motors and sets them up; moves nothing. Torque that a program left behind which died in a motion goes off.
   * @throws `robot/no-power`, `robot/missing-motors`, `robot/unknown-device`, `robot/unreadable`.
   */
  open(): Promise<void>
  /**
   * Writes the measured angles into `out`; angles of motors that miss a read stay. Rejects when all are silent.
   * @throws `robot/missing-motors` when some have been silent for a second.
   */
  readPositions(out: Float64Array): Promise<void>
  /** Sends nine goals, cut to the motors' own limits. `frame`: the posture that they are. */
  writeGoals(joints: Float64Array, frame: Frame): Promise<void>
  /**
   * Pins every goal to the present angle, then switches torque on and reads it back. All motors hold then, or none.
   * @throws `robot/overload` when a motor refuses, `robot/out-of-range` when a joint is far beyond its limits.
   */
  torqueOn(): Promise<void>
  /** The orderly way, behind what is queued; read back. */
  torqueOff(): Promise<void>
  /**
   * The fast way: before everything queued, through a port opened anew when the present one is stuck. Whether all nine
   * motors said that their torque is off.
   */
  emergencyOff(): Promise<boolean>
  /** In joint order; `null` for a silent motor. */
  readHealth(): Promise<(MotorHealth | null)[]>
  /** Arms the motors' own watchdog (they stop when the bus is silent for half a second), or switches it off. */
  setWatchdog(on: boolean): Promise<void>
  /**
   * Restarts one motor that switched itself off, and sets it up again; absent where that is not possible.
   * @throws `robot/missing-motors` when it does not come back.
   */
  rebootMotor?(id: number): Promise<void>
  onLost(listener: () => void): () => void
  /** Ends what is under way; the driver is not opened again. An emergency stop still works, and closes the port after it. */
  close(): Promise<void>
}
