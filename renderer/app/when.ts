const DAY_MS = 24 * 60 * 60 * 1000

/** The day a moment was, for people: "today", "yesterday", else the date. */
export function dayWord(language: string, then: number, now = Date.now()): string {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(now) - midnight(then)) / DAY_MS)
  if (days !== 0 && days !== 1) return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(then)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
}

/** Day and time: "yesterday, 18:40". */
export function momentWords(language: string, then: number, now = Date.now()): string {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(then)
  return `${dayWord(language, then, now)}, ${time}`
}
