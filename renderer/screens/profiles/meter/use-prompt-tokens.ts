import { useEffect, useRef, useState } from 'react'

import { request } from '../../../app/bridge.ts'
import { latestOnly } from '../../../app/latest-only.ts'
import { useTools } from '../../../stores/tools.ts'

import type { ProfileTexts, Prompt, PromptPart } from '../../../../electron/contract/index.ts'
import type { LatestOnly } from '../../../app/latest-only.ts'
import type { Draft } from '../drafts.ts'

/** Pause after the last key before the prompt is counted anew, in milliseconds. */
const PAUSE_MS = 400

interface Question {
  name: string
  texts: ProfileTexts
}

export interface PromptTokens {
  /** Estimate; `null` until there is one. The last one stays while a newer is counted. */
  tokens: number | null
  /** Enabled tools that the prompt never mentions. */
  unmentioned: readonly string[]
  /** In their order; empty until they are known. */
  parts: readonly PromptPart[]
  failed: boolean
}

/** Estimated tokens of the prompt that a model would get with the unsaved texts. */
export function usePromptTokens(draft: Draft): PromptTokens {
  const [state, setState] = useState<PromptTokens>({ tokens: null, unmentioned: [], parts: [], failed: false })
  const counter = useRef<LatestOnly<Question> | null>(null)
  const { name, revision } = draft.document
  const { texts } = draft
  // What the prompt never mentions depends on the tools that can be used at this moment.
  const toolsVersion = useTools((state) => state.version)
  const held = useRef(texts)
  held.current = texts
  const { 'instructions.txt': instructions, 'tools.txt': tools } = texts

  useEffect(() => {
    const counting = latestOnly<Question, Prompt>({
      run: (question) => request('profiles.prompt', question),
      done: ({ tokens, unmentioned, parts }) => setState({ tokens, unmentioned, parts, failed: false }),
      failed: () => setState((now) => ({ ...now, failed: true })),
      delayMs: PAUSE_MS,
    })
    counter.current = counting
    return counting.cancel
  }, [])

  const isFirst = useRef(true)
  useEffect(() => {
    counter.current?.schedule({ name, texts: held.current }, isFirst.current ? 0 : PAUSE_MS)
    isFirst.current = false
  }, [name, revision, instructions, tools, toolsVersion])
  return state
}
