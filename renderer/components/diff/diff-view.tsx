import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { cx } from '../cx.ts'

import { folded } from './diff-lines.ts'

import type { DiffLine } from './diff-lines.ts'
import type { ReactNode } from 'react'

const SIGNS = { same: '', cut: '−', add: '+' } as const
const GROUNDS = { same: '', cut: 'bg-danger-soft', add: 'bg-success-soft' } as const
const SIGN_COLOURS = { same: '', cut: 'text-danger', add: 'text-success' } as const

/** Shows pieces of one line's text, each told where in the line it begins. */
export type ShowLine = (line: DiffLine) => (text: string, offset: number) => ReactNode

const plain: ShowLine = () => (text) => text

interface LineProps {
  line: DiffLine
  prose: boolean
  show: ShowLine
}

function Line({ line, prose, show }: LineProps) {
  const { t } = useTranslation('keep')
  const { kind, number, pieces } = line
  const showPiece = show(line)
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
          const words = showPiece(piece.text, at)
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

function Fold({ lines, ...rest }: Omit<LineProps, 'line'> & { lines: readonly DiffLine[] }) {
  const { t } = useTranslation('keep')
  const [open, setOpen] = useState(false)
  if (open) return lines.map((line, i) => <Line key={i} line={line} {...rest} />)
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
  summary?: ReactNode
  lines: readonly DiffLine[]
  /** Sentences, not code. */
  prose?: boolean | undefined
  show?: ShowLine | undefined
  /** Below the lines: what can be done. */
  foot?: ReactNode
}

/** A difference, line by line: sign, word and ground, never colour alone. */
export function DiffView({ title, summary, lines, prose = false, show = plain, foot }: DiffViewProps) {
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
        className="scroll-quiet max-h-80 overflow-y-auto bg-sunken py-1.5 -outline-offset-2 select-text"
      >
        {parts.map((part, i) =>
          part.kind === 'fold' ? (
            <Fold key={`fold ${part.key}`} lines={part.lines} prose={prose} show={show} />
          ) : (
            <Line key={i} line={part} prose={prose} show={show} />
          ),
        )}
      </div>
      {foot && <div className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">{foot}</div>}
    </section>
  )
}
