import type { Log } from '../../contract/index.ts'

/** A log that keeps its lines for the test to look at. */
export function createTestLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const add =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      lines.push(`${level} ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}`)
    }
  return { lines, debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') }
}
