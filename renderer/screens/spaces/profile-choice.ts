import { useProfiles } from '../../stores/profiles.ts'

export interface LastChoice {
  /** The profile that was active then. */
  readonly active: string
  readonly chosen: readonly string[]
}

/** Only a convenience: where the page may keep nothing, it lasts until the window is closed. */
const KEY = 'install-profiles'

/**
 * The profiles that a new Space's tools are offered for: those of the last time, as long as the same profile is active,
 * else the active one.
 */
export function profilesAtFirst(
  active: string | undefined,
  usable: readonly string[],
  last: LastChoice | null,
): readonly string[] {
  const fallback = active !== undefined && usable.includes(active) ? [active] : []
  if (!last || last.active !== active) return fallback
  const kept = last.chosen.filter((name) => usable.includes(name))
  return kept.length > 0 || last.chosen.length === 0 ? kept : fallback
}

export function lastProfiles(): LastChoice | null {
  const text = localStorage.getItem(KEY)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { active, chosen } = value as Partial<LastChoice>
    if (typeof active !== 'string' || !Array.isArray(chosen)) return null
    return { active, chosen: chosen.filter((name): name is string => typeof name === 'string') }
  } catch (error) {
    // Whatever else stands there was not written by this app.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export function rememberProfiles(chosen: readonly string[]): void {
  const active = useProfiles.getState().snapshot?.active
  if (active !== undefined) localStorage.setItem(KEY, JSON.stringify({ active, chosen }))
}
