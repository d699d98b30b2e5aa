const MINUS = '−'

/** Radians as whole degrees; never −0. */
export function wholeDegrees(radians: number): number {
  return Math.round((radians * 180) / Math.PI) || 0
}

/** A number with its sign and a real minus: `+12`, `−8`, `0`. `digits` after the point. */
export function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toFixed(digits)
  if (Number(text) === 0) return text
  return `${value < 0 ? MINUS : '+'}${text}`
}

/** Radians as signed degrees for people: `+12°`. */
export function formatDegrees(radians: number, digits = 0): string {
  return `${signed((radians * 180) / Math.PI, digits)}°`
}

/** A duration in seconds with one decimal, in the language's own number format: `2.8 s`, `2,8 s`. */
export function formatSeconds(language: string, seconds: number): string {
  return `${formatNumber(language, seconds, 1)} s`
}

/** A number with a fixed count of decimals, grouped as the language does it. */
export function formatNumber(language: string, value: number, digits = 0): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(value)
    .replace('-', MINUS)
}
