import type { Details } from '../contract/index.ts'

/** Fills `{{name}}` from an error's details; a value that is missing shows as an ellipsis, never as a brace. */
export function fill(text: string, details: Details): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, key: string) =>
    String(Object.hasOwn(details, key) ? details[key] : '…'),
  )
}
