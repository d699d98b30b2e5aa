import { brain } from '../../strings/brain.ts'
import { errorWords, fill } from '../../strings/index.ts'

import type { JsonObject, JsonValue } from '../../contract/index.ts'
import type { CallEnd } from '../calls.ts'
import type { BrainLanguage } from './language.ts'

/** Longest text of a tool that the brain repeats; the whole of it stands in the call above. */
const MAX_REPEATED = 1_500

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the brain says about a call that has ended, in the language of the sentence. */
export function answerFor(end: CallEnd, language: BrainLanguage, feeling: string | undefined): string {
  const texts = brain[language]
  const tool = end.called?.entry.shortName ?? end.id
  if (end.state === 'stopped') return fill(texts.stoppedTool, { tool })
  if (!end.called || end.isError) {
    const reason = end.failure ? errorWords(end.failure.code, end.failure.details, language).message : reasonIn(end)
    return fill(texts.failed, { tool, text: reason })
  }
  const own = end.called.entry.source === 'built-in' ? bodyAnswer(end, language, feeling) : null
  if (own !== null) return own
  const { text, images, files = [] } = end.called.result
  if (text === '' && files.length > 0) return fill(texts.picture, { tool })
  if (images.length > 0 && (text === '' || /^Image URL: \S+$/.test(text))) return fill(texts.picture, { tool })
  if (text === '' || text === 'done, no output') return fill(texts.noOutput, { tool })
  return fill(texts.result, { text: text.length > MAX_REPEATED ? `${text.slice(0, MAX_REPEATED)}…` : text })
}

function reasonIn(end: CallEnd): string {
  const structured = end.called?.result.structured
  if (isObject(structured) && typeof structured.error === 'string') return structured.error
  return end.resultText || end.textForModel
}

function bodyAnswer(end: CallEnd, language: BrainLanguage, feeling: string | undefined): string | null {
  const texts = brain[language]
  const answer = isObject(end.called?.result.structured) ? end.called.result.structured : {}
  switch (end.id) {
    case 'play_emotion':
      if (feeling === 'greeting' || feeling === 'welcoming') return texts.greeting
      return feeling === 'goodbye' ? texts.goodbye : texts.feeling
    case 'move_head': {
      const direction = typeof answer.move === 'string' ? answer.move : ''
      return texts.looking[direction as keyof typeof texts.looking] ?? texts.around
    }
    case 'sweep_look':
      return texts.around
    case 'dance': {
      const move = typeof answer.move === 'string' ? answer.move.replaceAll('_', ' ') : ''
      return Number(answer.repeat) > 1
        ? fill(texts.dancingTimes, { move, times: Number(answer.repeat) })
        : fill(texts.dancing, { move })
    }
    case 'stop_emotion':
    case 'stop_dance':
      return texts.stopped
    case 'go_to_sleep':
      return texts.sleeping
    default:
      return null
  }
}
