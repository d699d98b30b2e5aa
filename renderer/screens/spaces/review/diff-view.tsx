import { DiffView as Lines } from '../../../components/diff/diff-view.tsx'
import { SeenText } from '../seen-text.tsx'

import { oddSpans } from './text-marks.ts'

import type { TextWarning } from '../../../../electron/contract/index.ts'
import type { DiffLine } from '../../../components/diff/diff-lines.ts'

export interface Marks {
  readonly warnings: readonly TextWarning[]
  readonly otherTools: readonly string[]
}

const NO_MARKS: Marks = { warnings: [], otherTools: [] }

export interface DiffViewProps {
  /** The heading. */
  title: string
  /** How much, in words. */
  summary?: string | undefined
  lines: readonly DiffLine[]
  /** What to underline in the lines that are there now. */
  marks?: Marks | undefined
  /** Sentences, not code. */
  prose?: boolean | undefined
}

/** A difference of a stranger's text, with what is odd in the new one underlined. */
export function DiffView({ marks = NO_MARKS, ...rest }: DiffViewProps) {
  return (
    <Lines
      {...rest}
      show={({ kind, pieces }) => {
        const text = pieces.map((piece) => piece.text).join('')
        const spans = kind === 'cut' ? [] : oddSpans(text, marks.warnings, marks.otherTools)
        return (words, offset) => <SeenText text={words} spans={spans} offset={offset} />
      }}
    />
  )
}
