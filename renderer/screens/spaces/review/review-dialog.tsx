import { Hand } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useReturnFocus } from '../../../app/use-return-focus.ts'
import {
  Button,
  Dialog,
  FailureBanner,
  Segmented,
  Skeleton,
  TabList,
  TabPanel,
  Tabs,
} from '../../../components/index.ts'
import { isMoved, useReview, waitingIds } from '../../../stores/review.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { sameSlug, toolName } from '../preview-facts.ts'
import { SpaceEmoji } from '../space-parts.tsx'
import { tellUndoable } from '../undo.ts'

import { prettyLines } from './pretty-schema.ts'
import { PlaceFacts, ToolFacts } from './review-facts.tsx'
import { ToolDifference } from './tool-difference.tsx'

import type { ReviewTool, SpaceReview } from '../../../../electron/contract/index.ts'
import type { DifferenceSide } from './tool-difference.tsx'

/** IDs of what waits for a decision now, in the order of the review. */
function useWaiting(review: SpaceReview | null): readonly string[] {
  const pending = useSpaces((state) => {
    const space = state.snapshot?.spaces.find((one) => review !== null && sameSlug(one.slug, review.slug))
    return space?.review
  })
  if (!review || !pending) return []
  return waitingIds(review, [...pending.changed, ...pending.added, ...pending.gone])
}

function Head({ slug, review, waits }: { slug: string; review: SpaceReview | null; waits: boolean }) {
  const { t, i18n } = useTranslation('keep')
  const day = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'long' })
  return (
    <div className="flex min-w-0 items-start gap-3">
      <SpaceEmoji large emoji={review?.emoji} />
      <div className="min-w-0 flex-1">
        <p aria-hidden="true" className="text-title leading-6 font-strong tracking-title wrap-anywhere">
          {t('review.heading', { title: review?.title ?? slug })}
        </p>
        <p className="mono break-all text-ink-2">{slug}</p>
        {review && (
          <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink-3">
            {review.approvedAt !== null && (
              <span>{t('review.approvedAt', { date: day.format(review.approvedAt) })}</span>
            )}
            <span>{t('review.changedAt', { date: day.format(review.changedAt) })}</span>
            {waits && (
              <span className="flex items-center gap-1 text-warn">
                <Hand aria-hidden="true" className="size-3.75" />
                {t('review.off')}
              </span>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

const textOf = (side: ReviewTool['before']): string =>
  side ? `${side.description}\n\n${prettyLines(side.parameters).join('\n')}` : '–'

function CopyBoth({ tool }: { tool: ReviewTool }) {
  const { t } = useTranslation('keep')
  const copy = async (): Promise<void> => {
    const text = `${t('review.view.before')}\n${textOf(tool.before)}\n\n${t('review.view.after')}\n${textOf(tool.after)}\n`
    await navigator.clipboard.writeText(text)
    useToasts.getState().show({ text: t('review.copied') })
  }
  return (
    <Button variant="quiet" className="-ml-3" onClick={() => void copy()}>
      {t('review.copy')}
    </Button>
  )
}

function Answer({ review, id, waiting }: { review: SpaceReview; id: string; waiting: readonly string[] }) {
  const { t } = useTranslation('keep')
  const busy = useReview((state) => state.busy)
  const tool = review.tools.find((one) => one.id === id)
  const name = tool ? toolName(tool) : review.slug
  const decide = async (answer: 'approve' | 'keepOff'): Promise<void> => {
    const { decide: write, show, close } = useReview.getState()
    const undoId = await write(answer, [id])
    if (undoId === null) return
    tellUndoable(
      answer === 'approve' ? t('review.done.approved', { name }) : t('review.done.keptOff', { name }),
      undoId,
    )
    const next = waiting.find((one) => one !== id)
    // Under another name the Space is another entry: its review begins anew.
    if (next === undefined || (answer === 'approve' && id === review.slug)) close()
    else show(next)
  }
  return (
    <>
      <Button disabled={busy} onClick={() => void decide('keepOff')}>
        {t('review.keepOff')}
      </Button>
      <Button variant="primary" busy={busy} onClick={() => void decide('approve')}>
        {t('review.approve')}
      </Button>
    </>
  )
}

function Body({ review, id, waiting }: { review: SpaceReview; id: string; waiting: readonly string[] }) {
  const { t } = useTranslation('keep')
  const [side, setSide] = useState<DifferenceSide>('changes')
  const moved = isMoved(review)
  const label = (name: string, kind: string): React.ReactNode => (
    <>
      <span className="max-w-44 truncate" title={name}>
        {name}
      </span>
      <span className="font-normal text-ink-3">{kind}</span>
    </>
  )
  const kindOf = (tool: ReviewTool): string =>
    waiting.includes(tool.id) || tool.kind === 'gone' ? t(`review.kind.${tool.kind}`) : t('review.keptOff')
  const tabs = [
    ...(moved ? [{ value: review.slug, label: label(t('review.place'), t('review.kind.changed')) }] : []),
    ...review.tools.map((tool) => ({ value: tool.id, label: label(toolName(tool), kindOf(tool)) })),
  ]
  const tool = review.tools.find((one) => one.id === id)
  return (
    <Tabs value={id} onChange={(next) => useReview.getState().show(next)}>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <div className="scroll-quiet min-w-0 flex-1 overflow-x-auto rounded-[0.625rem]">
          <TabList label={t('review.tabs')} tabs={tabs} />
        </div>
        {tool && (
          <Segmented
            label={t('review.show')}
            value={side}
            onChange={setSide}
            options={(['changes', 'before', 'after'] as const).map((value) => ({
              value,
              label: t(`review.view.${value}`),
            }))}
          />
        )}
      </div>
      <TabPanel value={id} className="grid grid-cols-[minmax(0,1fr)] gap-3 outline-offset-4">
        {tool ? (
          <>
            <ToolDifference
              before={tool.before}
              after={tool.after}
              warnings={tool.warnings}
              otherTools={tool.otherTools}
              side={side}
            />
            <ToolFacts tool={tool} moved={moved} />
          </>
        ) : (
          <PlaceFacts review={review} />
        )}
      </TabPanel>
    </Tabs>
  )
}

function OneReview({ slug }: { slug: string }) {
  const { t } = useTranslation('keep')
  const { review, failure, shown, busy, close } = useReview()
  const waiting = useWaiting(review)
  const known = review ? [...(isMoved(review) ? [review.slug] : []), ...review.tools.map((tool) => tool.id)] : []
  const id = (shown !== null && known.includes(shown) ? shown : (waiting[0] ?? known[0])) ?? null
  const tool = review?.tools.find((one) => one.id === id)
  const left = waiting.filter((one) => one !== id).length
  return (
    <Dialog
      open
      title={t('review.title', { slug })}
      head={<Head slug={slug} review={review} waits={waiting.length > 0} />}
      width="l"
      locked={busy}
      onClose={close}
      footLead={
        <>
          {tool && <CopyBoth tool={tool} />}
          {left > 0 && <span className="text-small text-ink-3">{t('review.left', { count: left })}</span>}
        </>
      }
      foot={
        review && id !== null ? (
          <Answer review={review} id={id} waiting={waiting} />
        ) : (
          <Button onClick={close}>{t('close', { ns: 'common' })}</Button>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {failure && <FailureBanner failure={failure} />}
        {!review && !failure && <Skeleton className="h-48" />}
        {review && id !== null && <Body review={review} id={id} waiting={waiting} />}
        {review && id === null && <p className="text-ink-2">{t('review.nothing')}</p>}
      </div>
    </Dialog>
  )
}

/** The review of a changed Space over whatever screen it was asked for on. */
export function ReviewDialog() {
  const slug = useReview((state) => state.slug)
  useReturnFocus(slug !== null, () => document.querySelector<HTMLElement>('[data-region="sheet"] h1'))
  return slug !== null && <OneReview key={slug} slug={slug} />
}
