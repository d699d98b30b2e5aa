import { plainText } from './text.ts'

/** The end of what a program writes to its error stream. */
export interface LastWords {
  feed(chunk: Uint8Array): void
  /** Without control characters, colours and the values that must not be shown. */
  text(): string
}

const KEPT_BYTES = 4 * 1024
/** ECMA-48 control sequences (colours, cursor) and operating system commands (titles, links). */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g
const SECRET_NAME = /TOKEN|KEY|SECRET|PASS|AUTH|CREDENTIAL/i
/** A shorter value would blot out ordinary words. */
const SECRET_LENGTH = 6

/** @param env of the program: values whose names sound like secrets are masked, as programs print their settings */
export function createLastWords(env: Readonly<Record<string, string>>): LastWords {
  let kept = Buffer.alloc(0)
  let cut = false
  const secrets = Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SECRET_LENGTH)
    .map(([, value]) => value)
  return {
    feed(chunk) {
      const all = Buffer.concat([kept, chunk])
      cut ||= all.length > KEPT_BYTES
      kept = all.subarray(-KEPT_BYTES)
    },
    text() {
      // A cut may have halved the first character, the first sequence or the first value that must not be shown.
      const whole = kept.toString('utf8')
      const lines = cut && whole.includes('\n') ? whole.slice(whole.indexOf('\n') + 1) : whole
      const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), lines)
      return plainText(masked.replace(SEQUENCES, '')).trim()
    },
  }
}
