/** Imports that a text of its own can hold: Node's modules are everywhere, files and packages are not. */
const FOREIGN_IMPORT = /^\s*(?:import|export)\b[^'"\n]*['"](?!node:)([^'"\n]+)['"]/m

export type Stripped = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly reason: string }

/**
 * A TypeScript text without its types, line by line where it was. Only types that can be erased: no enums, no namespaces,
 * no parameter properties (https://nodejs.org/api/typescript.html#type-stripping). Nothing is run.
 */
export async function stripTypes(text: string, filename: string): Promise<Stripped> {
  const { transformSync } = await import('@swc/wasm-typescript')
  let code: string
  try {
    code = transformSync(text, { mode: 'strip-only', module: true, filename }).code
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
  const [, foreign] = FOREIGN_IMPORT.exec(code) ?? []
  if (foreign !== undefined) {
    return { ok: false, reason: `a TypeScript tool stands alone: it can import node: modules, not ${foreign}` }
  }
  return { ok: true, code }
}

function reasonOf(error: unknown): string {
  const { message, startLine } = (typeof error === 'object' && error !== null ? error : {}) as {
    message?: unknown
    startLine?: unknown
  }
  const text = typeof message === 'string' ? message : String(error)
  return typeof startLine === 'number' ? `line ${startLine}: ${text}` : text
}
