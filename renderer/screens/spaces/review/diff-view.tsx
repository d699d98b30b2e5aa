import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { cx } from '../../../components/index.ts'
import { SeenText } from '../seen-text.tsx'

import { folded } from './diff-lines.ts'
import { oddSpans } from './text-marks.ts'

import type { TextWarning } from '../../../../electron/contract/index.ts'
import type { DiffLine } from './diff-lines.ts'

export interface Marks {
  readonly warnings: readonly TextWarning[]
  readonly otherTools: readonly string[]
}

const NO_MARKS: Marks = { warnings: [], otherTools: [] }
const SIGNS = { same: '', cut: '−', add: '+' } as const
const GROUNDS = { same: '', cut: 'bg-danger-soft', add: 'bg-success-soft' } as const
const SIGN_COLOURS = { same: '', cut: 'text-danger', add: 'text-success' } as const

function Line({ line, marks, prose }: { line: DiffLine; marks: Marks; prose: boolean }) {
  const { t } = useTranslation('keep')
  const { kind, number, pieces } = line
  const text = pieces.map((piece) => piece.text).join('')
  const spans = kind === 'cut' ? [] : oddSpans(text, marks.warnings, marks.otherTools)
  let offset = 0
  return (
    <div className={cx('grid grid-cols-[2.25rem_1.25rem_minmax(0,1fr)] px-0', GROUNDS[kind])}>
      <span aria-hidden="true" className={cx('mono pr-2 text-right', kind === 'same' ? 'text-ink-3' : 'text-ink-2')}>
        {number}
      </span>
      <span aria-hidden="true" className={cx('mono font-strong', SIGN_COLOURS[kind])}>
        {SIGNS[kind]}
      </span>
      <span className={cx('min-w-0 py-px pr-3 wrap-anywhere whitespace-pre-wrap', prose ? 'text-ui' : 'mono')}>
        {kind !== 'same' && (
          <span className="sr-only">{kind === 'cut' ? t('review.removed') : t('review.added')} </span>
        )}
        {pieces.map((piece, i) => {
          const at = offset
          offset += piece.text.length
          const words = <SeenText text={piece.text} spans={spans} offset={at} />
          if (!piece.changed) return <span key={i}>{words}</span>
          return kind === 'cut' ? (
            <del key={i}>{words}</del>
          ) : (
            <ins key={i} className="font-strong no-underline">
              {words}
            </ins>
          )
        })}
      </span>
    </div>
  )
}

function Fold({ lines, marks, prose }: { lines: readonly DiffLine[]; marks: Marks; prose: boolean }) {
  const { t } = useTranslation('keep')
  const [open, setOpen] = useState(false)
  if (open) return lines.map((line, i) => <Line key={i} line={line} marks={marks} prose={prose} />)
  return (
    <button
      type="button"
      onClick={() => setOpen(true)}
      className="block min-h-7 w-full bg-hover pl-14 text-left text-small text-ink-2 hover:text-ink"
    >
      {t('review.fold', { count: lines.length })}
    </button>
  )
}

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

/** A difference, line by line: sign, word and ground, never colour alone. */
export function DiffView({ title, summary, lines, marks = NO_MARKS, prose = false }: DiffViewProps) {
  const { t } = useTranslation('keep')
  const parts = useMemo(() => folded(lines), [lines])
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded-card border border-line">
      <header className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-2.5 py-2">
        <h3 className="font-strong">{title}</h3>
        {summary && <span className="ml-auto text-small text-ink-3">{summary}</span>}
      </header>
      <div
        role="group"
        tabIndex={0}
        aria-label={t('review.differenceOf', { part: title })}
        className="scroll-quiet max-h-80 overflow-y-auto bg-sunken py-1.5 -outline-offset-2"
      >
        {parts.map((part, i) =>
          part.kind === 'fold' ? (
            <Fold key={`fold ${part.key}`} lines={part.lines} marks={marks} prose={prose} />
          ) : (
            <Line key={i} line={part} marks={marks} prose={prose} />
          ),
        )}
      </div>
    </section>
  )
}
