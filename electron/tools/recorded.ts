import { CompanionError } from '../contract/index.ts'

import { cut, visible } from './text.ts'

import type { ErrorCode, JsonValue } from '../contract/index.ts'
import type { AuditArguments } from '../storage/index.ts'

/** Characters of the arguments that are kept. */
const MAX_PREVIEW = 200
/** Characters of one value. */
const MAX_VALUE = 80
const SECRET_NAME =
  /token|secret|passw|passphrase|credential|authorization|api.?key|cookie|mot.?de.?passe|密码|密钥|口令/i
/** Keys of Hugging Face, OpenAI and others, web tokens, credentials in addresses, and long random words. */
const SECRETS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  [/\b(sk-|hf_|gsk_|xai-|ghp_|gho_|github_pat_|nvapi-|r8_)[A-Za-z0-9_*.-]+/gi, '$1…'],
  [/\bAIza[A-Za-z0-9_-]+/g, '…'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)?/g, '…'],
  [/([?&][\w-]*(?:token|key|secret|sign)[\w-]*=)[^&\s"']+/gi, '$1…'],
  [/(\/\/)[^/\s:@]+:[^/\s@]+@/g, '$1…@'],
  [/\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{32,}\b/g, '…'],
]

/** Size of the arguments, and their beginning without what looks like a secret by name or by shape. */
export function recordedArguments(args: JsonValue | undefined): AuditArguments {
  const opened = args === undefined ? {} : asJson(args)
  return {
    bytes: Buffer.byteLength(JSON.stringify(opened)),
    preview: cut(JSON.stringify(shortened(opened)), MAX_PREVIEW),
  }
}

/** Some models write the arguments as a JSON text: then the names in it count as names. */
function asJson(args: JsonValue): JsonValue {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return args
    throw error
  }
}

function shortened(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') {
    const bare = SECRETS.reduce((text, [pattern, by]) => text.replace(pattern, by), visible(value.slice(0, 4_000)))
    return bare.length > MAX_VALUE ? `${cut(bare, MAX_VALUE)}…` : bare
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > 4) return '…'
  if (Array.isArray(value)) return value.slice(0, 10).map((one) => shortened(one, depth + 1))
  const members = Object.entries(value).slice(0, 20)
  return Object.fromEntries(
    members.map(([name, one]) => [
      cut(visible(name), MAX_VALUE),
      SECRET_NAME.test(name) && one !== null && typeof one !== 'boolean' ? '…' : shortened(one, depth + 1),
    ]),
  )
}

const REFUSED: ReadonlySet<ErrorCode> = new Set([
  'tools/not-enabled',
  'tools/unavailable',
  'tools/denied',
  'tools/needs-approval',
  'tools/no-longer-offered',
  'tools/duplicate-name',
  'tools/bad-arguments',
  'tools/bad-schema',
  'tools/schema-unusable',
  'tools/not-allowed',
  'tools/file-changed',
  'tools/bad-file',
  'tools/no-python',
  'space/changed',
  'space/bad-origin',
])

/** How a call that threw is recorded. */
export function recordedFailure(error: unknown): { outcome: 'failed' | 'cancelled' | 'refused'; code: ErrorCode } {
  const code = error instanceof CompanionError ? error.code : 'app/internal'
  if (code === 'tools/cancelled' || code === 'app/cancelled') return { outcome: 'cancelled', code }
  return { outcome: REFUSED.has(code) ? 'refused' : 'failed', code }
}
