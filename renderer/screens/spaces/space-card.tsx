import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge, Button, Card, FailureBanner } from '../../components/index.ts'
import { useReview } from '../../stores/review.ts'

import { Publisher, SpaceEmoji, SpaceMeta, StageWords } from './space-parts.tsx'
import { useRemove } from './use-remove.ts'

import type { SpaceCard as SpaceCardFacts } from '../../../electron/contract/index.ts'

/** How much of what changes by itself is known: nothing, what it was on some day, or what it is. */
export type Known = { what: 'nothing' } | { what: 'then'; when: string } | { what: 'now' }

export interface SpaceCardProps {
  card: SpaceCardFacts
  installed: boolean
  /** It is not what was approved and waits for a decision. */
  changed: boolean
  /** Nothing can be installed or removed now: the manifest is only read. */
  locked: boolean
  known: Known
  /** There is no network to install it from. */
  offline: boolean
  onInstall: (card: SpaceCardFacts) => void
  onLook: (card: SpaceCardFacts) => void
}

function Action({ card, installed, changed, locked, offline, onInstall, busy, onRemove }: ActionProps) {
  const { t } = useTranslation('spaces')
  const { slug } = card
  if (changed) {
    return (
      <Button
        size="s"
        aria-label={t('review.buttonNamed', { ns: 'keep', slug })}
        onClick={() => useReview.getState().open(slug)}
      >
        {t('review.button', { ns: 'keep' })}
      </Button>
    )
  }
  if (installed) {
    return (
      <Button
        variant="quiet"
        size="s"
        aria-label={t('card.removeNamed', { slug })}
        busy={busy}
        disabled={locked}
        onClick={onRemove}
      >
        {t('card.remove')}
      </Button>
    )
  }
  return (
    <Button
      size="s"
      aria-label={t('card.installNamed', { slug })}
      disabled={locked || offline}
      title={offline ? t('offline.needsNetwork') : undefined}
      onClick={() => onInstall(card)}
    >
      {t('card.install')}
    </Button>
  )
}

interface ActionProps extends Omit<SpaceCardProps, 'known' | 'onLook'> {
  busy: boolean
  onRemove: () => void
}

/** One Space of the catalogue. A press anywhere but on its button looks at it. */
export function SpaceCard(props: SpaceCardProps) {
  const { t } = useTranslation('spaces')
  const { card, installed, known, onLook } = props
  const removal = useRemove(card.slug)
  return (
    <article aria-label={card.slug} className="flex min-w-0 flex-1">
      <Card className="relative flex min-w-0 flex-1 flex-col p-4 transition-colors duration-instant hover:border-line-strong">
        <div className="flex items-start gap-3">
          <SpaceEmoji emoji={card.emoji} />
          <div className="min-w-0 flex-1">
            <h2 className="line-clamp-2 font-strong wrap-anywhere" title={card.slug}>
              <button
                type="button"
                className="text-left after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
                onClick={() => onLook(card)}
              >
                {card.title}
              </button>
            </h2>
            <div className="flex min-w-0 items-center gap-2">
              <Publisher author={card.author} official={card.official} />
              {card.private && <Badge>{t('card.private')}</Badge>}
              {installed && (
                <span className="ml-auto flex shrink-0 items-center gap-0.75 text-small font-medium text-success">
                  <Check aria-hidden="true" className="size-3.75" />
                  {t('card.installed')}
                </span>
              )}
            </div>
          </div>
        </div>
        <p className="mt-2.5 mb-3 line-clamp-2 wrap-anywhere text-ink-2">{card.description || t('card.noText')}</p>
        {removal.failure && <FailureBanner failure={removal.failure} className="mb-3" />}
        <div className="mt-auto flex items-end gap-2">
          <div className="grid min-w-0 flex-1 gap-0.5">
            {known.what !== 'nothing' && (
              <>
                <StageWords stage={card.stage} when={known.what === 'then' ? known.when : undefined} />
                <SpaceMeta hardware={card.hardware} likes={card.likes} />
              </>
            )}
          </div>
          <div className="relative">
            <Action {...props} busy={removal.busy} onRemove={() => void removal.remove()} />
          </div>
        </div>
      </Card>
    </article>
  )
}
