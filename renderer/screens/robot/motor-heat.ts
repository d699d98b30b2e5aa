import type { MotorState } from '../../../electron/contract/index.ts'

/** Ten degrees before the motor switches itself off, °C. */
export const WARM = 60
/** Where it switches itself off, °C (ROBOTIS XL330 e-manual, Temperature Limit, default 70). */
export const HOT = 70

/** The motor with the highest temperature that is known; `null` when none is. */
export function hottest(motors: readonly MotorState[]): { name: string; temperature: number } | null {
  return motors.reduce<{ name: string; temperature: number } | null>((most, { name, temperature }) => {
    if (temperature === null || (most && most.temperature >= temperature)) return most
    return { name, temperature }
  }, null)
}
