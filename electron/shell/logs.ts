import path from 'node:path'

import { redact, redactText } from './redact.ts'

import type { Log } from '../contract/index.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'
type Write = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void

const MAX_BYTES = 2_000_000
/** Lines kept until the log library is there. */
const MAX_WAITING = 500

export interface DesktopLog extends Log {
  /** Loads the log library and writes what waited. Apart from the start, which should not wait for it. */
  open(): Promise<void>
}

/**
 * The desktop's log: `logs/main.log` in the data directory, one older file beside it. Nothing is written that looks
 * like a token or a key. Warnings and errors go to stderr as well, so that a start from a terminal shows them.
 */
export function createLog(dataDir: string): DesktopLog {
  const waiting: Parameters<Write>[] = []
  let write: Write = (...line) => {
    if (waiting.length < MAX_WAITING) waiting.push(line)
  }
  const at =
    (level: Level) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void =>
      write(level, redactText(message), fields === undefined ? undefined : (redact(fields) as Record<string, unknown>))

  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    async open() {
      const { default: electronLog } = await import('electron-log/node.js')
      const logger = electronLog.create({ logId: 'main' })
      logger.transports.file.resolvePathFn = () => path.join(dataDir, 'logs', 'main.log')
      logger.transports.file.maxSize = MAX_BYTES
      logger.transports.file.level = 'info'
      logger.transports.file.format = '{iso} {level} {text}'
      logger.transports.console.level = false
      write = (level, message, fields) => {
        const text = fields === undefined ? message : `${message} ${JSON.stringify(fields)}`
        logger[level](text)
        if (level === 'warn' || level === 'error') process.stderr.write(`${level}: ${text}\n`)
      }
      for (const line of waiting.splice(0)) write(...line)
    },
  }
}
