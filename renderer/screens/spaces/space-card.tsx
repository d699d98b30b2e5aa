import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge, Button, Card, FailureBanner } from '../../components/index.ts'

import { Publisher, SpaceEmoji, SpaceMeta, StageWords } from './space-parts.tsx'
import { useRemove } from './use-remove.ts'

import type { SpaceCard as SpaceCardFacts } from '../../../electron/contract/index.ts'

export interface SpaceCardProps {
  card: SpaceCardFacts
  installed: boolean
  /** Nothing can be installed or removed now: the manifest is only read. */
  locked: boolean
  /** How much of what changes by itself is known: nothing, hardware and likes, or the stage of this moment too. */
  known: 'nothing' | 'facts' | 'stage'
  onInstall: (card: SpaceCardFacts) => void
}

/** One Space of the catalogue. */
export function SpaceCard({ card, installed, locked, known, onInstall }: SpaceCardProps) {
  const { t } = useTranslation('spaces')
  const removal = useRemove(card.slug)
  return (
    <article aria-label={card.slug} className="flex min-w-0 flex-1">
      <Card className="flex min-w-0 flex-1 flex-col p-4">
        <div className="flex items-start gap-3">
          <SpaceEmoji emoji={card.emoji} />
          <div className="min-w-0 flex-1">
            <h2 className="line-clamp-2 font-strong wrap-anywhere" title={card.slug}>
              {card.title}
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
            {known === 'stage' && <StageWords stage={card.stage} />}
            {known !== 'nothing' && <SpaceMeta hardware={card.hardware} likes={card.likes} />}
          </div>
          {installed ? (
            <Button
              variant="quiet"
              size="s"
              aria-label={t('card.removeNamed', { slug: card.slug })}
              busy={removal.busy}
              disabled={locked}
              onClick={() => void removal.remove()}
            >
              {t('card.remove')}
            </Button>
          ) : (
            <Button
              size="s"
              aria-label={t('card.installNamed', { slug: card.slug })}
              disabled={locked}
              onClick={() => onInstall(card)}
            >
              {t('card.install')}
            </Button>
          )}
        </div>
      </Card>
    </article>
  )
}
