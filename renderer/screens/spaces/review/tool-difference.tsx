import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { diffLines, wordCounts } from '../../../components/diff/diff-lines.ts'

import { DiffView } from './diff-view.tsx'
import { inOrderOf, parameterChanges, prettyLines } from './pretty-schema.ts'

import type { JsonObject, TextWarning } from '../../../../electron/contract/index.ts'
import type { DiffLine } from '../../../components/diff/diff-lines.ts'

interface Texts {
  readonly description: string
  readonly parameters: JsonObject
}

export type DifferenceSide = 'changes' | 'before' | 'after'

export interface ToolDifferenceProps {
  before: Texts | undefined
  after: Texts | undefined
  warnings: readonly TextWarning[]
  otherTools: readonly string[]
  side?: DifferenceSide | undefined
}

const asIs = (lines: readonly string[]): DiffLine[] =>
  lines.map((text, i) => ({ kind: 'same', number: i + 1, pieces: [{ changed: false, text }] }))

const proseLines = (texts: Texts | undefined): string[] =>
  texts === undefined || texts.description === '' ? [] : texts.description.split('\n')

const schemaLines = (texts: Texts | undefined, like?: Texts): string[] =>
  texts === undefined ? [] : prettyLines(like ? inOrderOf(texts.parameters, like.parameters) : texts.parameters)

function useParameterSummary(before: Texts | undefined, after: Texts | undefined): string | undefined {
  const { t } = useTranslation('keep')
  if (!before || !after) return undefined
  const { added, removed, changed, rest } = parameterChanges(before.parameters, after.parameters)
  const parts = [
    added > 0 ? t('review.params.added', { count: added }) : '',
    removed > 0 ? t('review.params.removed', { count: removed }) : '',
    changed > 0 ? t('review.params.changed', { count: changed }) : '',
    rest ? t('review.params.rest') : '',
  ].filter((part) => part !== '')
  return parts.length > 0 ? parts.join(', ') : t('review.same')
}

/** Why the new words ask for care. */
export function TextWarnings({
  warnings,
  otherTools,
}: {
  warnings: readonly TextWarning[]
  otherTools: readonly string[]
}) {
  const { t } = useTranslation('keep')
  const names = otherTools.join(', ')
  const orders = warnings.includes('gives-orders')
  const others = warnings.includes('names-other-tools') && names !== ''
  const texts = [
    orders && others ? t('review.warn.ordersAndNames', { names }) : null,
    orders && !others ? t('review.warn.orders') : null,
    !orders && others ? t('review.warn.names', { names }) : null,
    warnings.includes('invisible-characters') ? t('review.warn.hidden') : null,
    warnings.includes('very-long') ? t('review.warn.long') : null,
  ].filter((text) => text !== null)
  if (texts.length === 0) return null
  return (
    <ul className="grid gap-1">
      {texts.map((text) => (
        <li key={text} className="flex gap-1.5 text-small text-warn">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** Description and parameters of one tool: what differs, or either side as it is. */
export function ToolDifference({ before, after, warnings, otherTools, side = 'changes' }: ToolDifferenceProps) {
  const { t } = useTranslation('keep')
  const summary = useParameterSummary(before, after)
  const shown = side === 'before' ? before : after
  const { prose, schema } = useMemo(
    () =>
      side === 'changes'
        ? {
            prose: diffLines(proseLines(before), proseLines(after)),
            schema: diffLines(schemaLines(before), schemaLines(after, before)),
          }
        : { prose: asIs(proseLines(shown)), schema: asIs(schemaLines(shown)) },
    [before, after, side, shown],
  )
  const counts = wordCounts(prose)
  const changed = side === 'changes' && before !== undefined && after !== undefined
  const marks = side === 'before' ? undefined : { warnings, otherTools }
  if (side !== 'changes' && !shown) {
    return <p className="text-ink-2">{side === 'before' ? t('review.nothingBefore') : t('review.nothingAfter')}</p>
  }
  return (
    <>
      <DiffView
        prose
        title={t('review.description')}
        lines={prose.length > 0 ? prose : asIs([t('review.empty')])}
        marks={marks}
        summary={
          !changed ? undefined : counts.added + counts.removed > 0 ? t('review.words', counts) : t('review.same')
        }
      />
      {side !== 'before' && <TextWarnings warnings={warnings} otherTools={otherTools} />}
      <DiffView title={t('review.parameters')} lines={schema} marks={marks} summary={changed ? summary : undefined} />
    </>
  )
}
