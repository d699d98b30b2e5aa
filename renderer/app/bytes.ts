const KILO = 1000

/** Bytes of a base64 text, without decoding it. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

/** A size for people: `212 kB`, `1.4 MB`. */
export function formatBytes(language: string, bytes: number): string {
  const [unit, value] =
    bytes < KILO ? ['byte', bytes] : bytes < KILO ** 2 ? ['kilobyte', bytes / KILO] : ['megabyte', bytes / KILO ** 2]
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && unit !== 'byte' ? 1 : 0,
  }).format(value)
}
