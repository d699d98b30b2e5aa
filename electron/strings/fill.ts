/** What placeholders of a text stand for. */
export type Values = Readonly<Record<string, string | number>>

/** Fills `{{name}}`; a value that is missing shows as an ellipsis, never as a brace. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, key: string) =>
    String(Object.hasOwn(values, key) ? values[key] : '…'),
  )
}
