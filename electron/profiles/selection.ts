/** Which profile is in force, and why. */
import path from 'node:path'

import { z } from 'zod'

import { selectedName } from './names.ts'

import type { Log, Problem, ProfilesSnapshot } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'

export interface Chosen {
  readonly name: string
  readonly from: 'app' | 'environment' | 'default'
}

export type Active = Pick<ProfilesSnapshot, 'active' | 'activeFrom' | 'wanted' | 'problem'>

/** What the robot's app keeps in its folder: what it starts with. */
export const STARTUP_FILE = 'startup_settings.json'

/** Other keys are its own. */
const startupSchema = z.looseObject({ profile: z.unknown() })

/**
 * @param app what was chosen in the app.
 * @param startup what the robot's app starts with in the folder that is edited in place; see {@link readStartup}.
 * @param environment `REACHY_MINI_CUSTOM_PROFILE`.
 */
export function chosenProfile(
  app: string | null,
  startup: string | null | undefined,
  environment: string | undefined,
): Chosen {
  const chosen = selectedName(app)
  if (chosen !== null) return { name: chosen, from: 'app' }
  const name = selectedName(startup === undefined ? environment : startup)
  return name === null ? { name: 'default', from: 'default' } : { name, from: 'environment' }
}

/**
 * The profile in `startup_settings.json` of the robot's app. Where that file exists it goes before the environment, even when
 * it is broken or empty, and `default` is used then (pollen-robotics/reachy_mini_conversation_app).
 * @returns `undefined` without such a file.
 */
export async function readStartup(
  storage: Pick<Storage, 'readJson'>,
  folder: string | undefined,
  log: Log,
): Promise<string | null | undefined> {
  if (folder === undefined) return undefined
  const file = path.join(folder, STARTUP_FILE)
  try {
    const read = await storage.readJson(file, startupSchema)
    if (read.state === 'absent') return undefined
    if (read.state === 'ok') return typeof read.value.profile === 'string' ? read.value.profile : null
    log.warn('startup_settings.json cannot be read, so the profile default is used', { path: file, reason: read.reason })
  } catch (error) {
    log.warn('startup_settings.json cannot be read, so the profile default is used', { path: file, error: String(error) })
  }
  return null
}

/** A profile that cannot be used does not hold the start up: `default` is in force, and it is said why. */
export function activeProfile({ name, from }: Chosen, problem: Problem | null): Active {
  if (problem === null) return { active: name, activeFrom: from }
  if (name === 'default') return { active: name, activeFrom: from, problem }
  return { active: 'default', activeFrom: 'fallback', wanted: name, problem }
}
