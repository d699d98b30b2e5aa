import { CompanionError } from '../../contract/index.ts'

/**
 * The connector speaks of Spaces; a server has other advice to follow where it refuses a token, or has no tools behind its
 * address. Both answers, over streamable HTTP and over SSE, are named: one alone sends people after the wrong fault.
 */
export function serverFailure(error: unknown, name: string): unknown {
  if (!(error instanceof CompanionError)) return error
  if (error.code === 'space/unauthorized') {
    return new CompanionError('server/unauthorized', { ...error.details, name }, { cause: error })
  }
  if (error.code !== 'space/no-mcp') return error
  const [first, second] = statusesOf(error)
  const details = { name, first: first ?? String(error.details.status ?? '?'), second: second ?? '?' }
  return new CompanionError('server/no-mcp', details, { cause: error })
}

function statusesOf(error: CompanionError): string[] {
  if (!(error.cause instanceof AggregateError)) return []
  return error.cause.errors.map((one: unknown) => {
    const status = typeof one === 'object' && one !== null && 'status' in one ? one.status : undefined
    return typeof status === 'number' ? String(status) : '?'
  })
}
