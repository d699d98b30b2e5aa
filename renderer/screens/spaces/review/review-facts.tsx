import { Check, Info, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { listOf } from '../tell-done.ts'

import { hasHidden } from './text-marks.ts'

import type { ReviewTool, SpaceReview } from '../../../../electron/contract/index.ts'
import type { ReactNode } from 'react'

/** Profiles that are named; the others are counted. */
const NAMED = 2

function Fact({ kind, children }: { kind: 'fine' | 'note' | 'care'; children: ReactNode }) {
  const Icon = kind === 'fine' ? Check : kind === 'note' ? Info : TriangleAlert
  return (
    <li className={kind === 'care' ? 'flex gap-2 text-warn' : 'flex gap-2'}>
      <Icon
        aria-hidden="true"
        className={kind === 'care' ? 'mt-px size-3.75 shrink-0' : 'mt-px size-3.75 shrink-0 text-ink-3'}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}

/** What is known of the Space's place: as before, or what is different. */
export function PlaceFacts({ review }: { review: SpaceReview }) {
  const { t } = useTranslation('keep')
  const { address, movedTo, nowPrivate } = review
  return (
    <ul className="grid gap-1.5 text-small text-ink-2">
      {address && <Fact kind="care">{t('review.facts.moved', { ...address })}</Fact>}
      {movedTo !== undefined && <Fact kind="care">{t('review.facts.movedTo', { slug: movedTo })}</Fact>}
      {nowPrivate !== undefined && (
        <Fact kind="care">{nowPrivate ? t('review.facts.nowPrivate') : t('review.facts.nowPublic')}</Fact>
      )}
    </ul>
  )
}

function useWhereOn(enabledIn: readonly string[]): string {
  const { t } = useTranslation('keep')
  if (enabledIn.length === 0) return t('review.facts.wasOff')
  const named = enabledIn.slice(0, NAMED)
  const more = enabledIn.length - named.length
  const profiles = more > 0 ? named.join(', ') : listOf(named)
  return more > 0 ? t('review.facts.wasOnMore', { profiles, count: more }) : t('review.facts.wasOn', { profiles })
}

/** What a person needs to know beside the texts: the place, hidden characters, what happened since, where it was on. */
export function ToolFacts({ tool, moved }: { tool: ReviewTool; moved: boolean }) {
  const { t } = useTranslation('keep')
  const whereOn = useWhereOn(tool.enabledIn)
  const { kind, after, formerId } = tool
  const clean = after !== undefined && !hasHidden(`${after.description}${JSON.stringify(after.parameters)}`)
  const fine = [moved ? '' : t('review.facts.placeAsBefore'), clean ? t('review.facts.noHidden') : ''].filter(
    (text) => text !== '',
  )
  return (
    <ul className="grid gap-1.5 text-small text-ink-2">
      {fine.length > 0 && <Fact kind="fine">{fine.join(' ')}</Fact>}
      {kind === 'renamed' && formerId !== undefined && (
        <Fact kind="note">{t('review.facts.renamed', { id: formerId })}</Fact>
      )}
      <Fact kind="note">
        {kind === 'added'
          ? t('review.facts.new')
          : kind === 'gone'
            ? `${t('review.facts.gone')} ${whereOn}`
            : `${t('review.facts.withheld')} ${whereOn}`}
      </Fact>
    </ul>
  )
}
