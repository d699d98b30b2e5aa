import { ChevronDown, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, cx } from '../../../components/index.ts'
import { severityOf } from '../problem-marks.ts'

import type { FileProblem } from '../../../../electron/contract/index.ts'
import type { LineFix } from './line-fixes.ts'
import type { LineProblem } from './problem-view.ts'

export interface ProblemsToggleProps {
  problems: readonly FileProblem[]
  open: boolean
  controls: string
  onToggle: () => void
}

/** How many problems a file has, as the button that lists them. */
export function ProblemsToggle({ problems, open, controls, onToggle }: ProblemsToggleProps) {
  const { t } = useTranslation('profiles')
  const bad = problems.filter((problem) => severityOf(problem.code) === 'bad').length
  const count = bad > 0 ? bad : problems.length
  if (count === 0) return null
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
      className={cx(
        'flex min-h-7 items-center gap-1 rounded-control px-1.5 text-small hover:bg-hover',
        bad > 0 ? 'text-danger' : 'text-warn',
      )}
    >
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      {bad > 0 ? t('files.problems', { count }) : t('files.notes', { count })}
      <ChevronDown aria-hidden="true" className={cx('size-3.5 shrink-0', open && 'rotate-180')} />
    </button>
  )
}

export interface ProblemListProps {
  id: string
  file: string
  problems: readonly LineProblem[]
  readOnly: boolean
  onGo: (line: number) => void
  onFix: (line: number, fix: LineFix) => void
}

/** The problems of a file's lines as a list: what the marks in the editor show, for whoever does not see or point. */
export function ProblemList({ id, file, problems, readOnly, onGo, onFix }: ProblemListProps) {
  const { t } = useTranslation('editor')
  const own = useId()
  const list = useRef<HTMLUListElement>(null)
  // A repaired problem takes its buttons with it: the focus goes on to the one that comes in its place.
  const repaired = useRef<number | null>(null)
  useEffect(() => {
    if (repaired.current === null) return
    const items = list.current?.children ?? []
    items[Math.min(repaired.current, items.length - 1)]?.querySelector('button')?.focus()
    repaired.current = null
  }, [problems])
  return (
    <div id={id} className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-raised scroll-quiet">
      <ul ref={list} aria-label={t('problems.list', { file })} className="divide-y divide-line">
        {problems.map((problem, i) => (
          <li key={i} className="grid gap-1 px-3 py-2 text-small">
            <p id={`${own}-${i}`} className="wrap-anywhere">
              <span className={cx('font-strong', problem.severity === 'bad' ? 'text-danger' : 'text-warn')}>
                {t('problems.line', { line: problem.line })}
              </span>{' '}
              {problem.text} <span className="mono text-ink-3">{problem.code}</span>
            </p>
            <p className="flex flex-wrap gap-1.5">
              {!readOnly &&
                problem.fixes.map((fix) => (
                  <Button
                    key={fix.kind}
                    size="s"
                    aria-describedby={`${own}-${i}`}
                    onClick={() => {
                      repaired.current = i
                      onFix(problem.line, fix)
                    }}
                  >
                    {fix.label}
                  </Button>
                ))}
              <Button
                size="s"
                variant="quiet"
                aria-label={t('problems.goTo', { line: problem.line })}
                onClick={() => onGo(problem.line)}
              >
                {t('problems.goTo', { line: problem.line })}
              </Button>
            </p>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-small text-ink-3">{t('problems.keys')}</p>
    </div>
  )
}
