/**
 * The part that upstream's alias and tool names share: every run of characters outside `[A-Za-z0-9_]` becomes `_`, runs
 * of `_` become one, those at the ends go. Letter case stays.
 */
export function squash(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}

/**
 * Alias of a Space as the Reachy Mini conversation app makes it (`pollen-robotics/reachy_mini_conversation_app`): it never
 * contains `__`, so `alias__` tells the tools of one Space from those of another.
 *
 * @param slug `owner/name`
 */
export function aliasOf(slug: string): string {
  const alias = squash(slug)
  return /^[0-9]/.test(alias) ? `space_${alias}` : alias
}
