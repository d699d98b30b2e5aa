import type { ChatMessage, MessagePart, ToolCall } from '../../../electron/contract/index.ts'

export type Block =
  | { kind: 'text'; key: string; text: string }
  /** Calls that one model turn asked for. */
  | { kind: 'calls'; key: string; calls: readonly ToolCall[] }

/** The parts of a message as they are drawn: calls of one turn together, empty texts left out. */
export function groupParts(parts: readonly MessagePart[]): Block[] {
  const blocks: Block[] = []
  parts.forEach((part, index) => {
    if (part.type === 'text') {
      if (part.text !== '') blocks.push({ kind: 'text', key: `text-${index}`, text: part.text })
      return
    }
    const last = blocks.at(-1)
    if (last?.kind === 'calls' && last.calls[0]?.turn === part.turn) {
      blocks[blocks.length - 1] = { ...last, calls: [...last.calls, part] }
    } else {
      blocks.push({ kind: 'calls', key: part.callId, calls: [part] })
    }
  })
  return blocks
}

const OPEN_STATES: ReadonlySet<ToolCall['state']> = new Set(['waiting', 'running'])

export function isOpen(call: ToolCall): boolean {
  return OPEN_STATES.has(call.state)
}

/** What an assistant message is doing, when nothing of it moves on the screen by itself. */
export function waitingFor(message: ChatMessage): 'nothing' | 'model' | 'tools' | 'person' {
  if (message.state !== 'streaming') return 'nothing'
  const last = message.parts.at(-1)
  if (last === undefined) return 'model'
  if (last.type === 'text') return last.text === '' ? 'model' : 'nothing'
  const open = message.parts.filter((part) => part.type === 'tool-call').filter(isOpen)
  if (open.length === 0) return 'model'
  return open.every(({ approval }) => approval !== undefined) ? 'person' : 'tools'
}
