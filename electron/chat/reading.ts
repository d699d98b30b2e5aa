import type { StrangersAnswer, Taint } from '../tools/index.ts'

/**
 * Turns after the one in which a stranger's answer came, during which it still counts. Ours, not measured: the answer stays
 * longer in what the model reads, but a person who has talked about something else twice has seen what came of it.
 */
export const TAINTED_TURNS = 2
/** Answers that are kept to compare arguments with. */
const MAX_ANSWERS = 50

/** What strangers' tools answered in one conversation, and what the person said last. */
export interface Reading {
  /** A message of the person begins a turn. */
  beginTurn(userText: string): void
  add(answer: StrangersAnswer): void
  /** For the calls of the next step of the model; calls of one step have not read each other's answers. */
  taint(): Taint | undefined
}

export function createReading(): Reading {
  let turn = 0
  let userText = ''
  let answers: Array<{ turn: number; answer: StrangersAnswer }> = []

  return {
    beginTurn(text) {
      turn += 1
      userText = text
      answers = answers.filter((one) => one.turn >= turn - TAINTED_TURNS)
    },
    add(answer) {
      answers = [...answers, { turn, answer }].slice(-MAX_ANSWERS)
    },
    taint() {
      const read = answers.map(({ answer }) => answer)
      const newest = read.findLast(({ suspicious }) => suspicious) ?? read.at(-1)
      if (!newest) return undefined
      return { afterToolId: newest.toolId, suspicious: newest.suspicious, userText, answers: read }
    },
  }
}
