import { RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { Banner, Button, EmptyState, Skeleton } from '../../components/index.ts'
import { useSpaces } from '../../stores/spaces.ts'

import { useCatalogue } from './catalogue-store.ts'
import { cardOfInstalled, sameSlug } from './preview-facts.ts'
import { SpaceCard } from './space-card.tsx'

import type { SpaceCard as SpaceCardFacts } from '../../../electron/contract/index.ts'

const GRID = 'grid auto-rows-[1fr] grid-cols-[repeat(auto-fill,minmax(16.5rem,1fr))] gap-4 narrow:gap-3'

function Waiting() {
  return (
    <div aria-hidden="true" className={GRID}>
      {Array.from({ length: 9 }, (_, i) => (
        <div key={i} className="grid content-start gap-3 rounded-card border border-line bg-raised p-4">
          <div className="flex gap-3">
            <Skeleton className="size-9" />
            <div className="grid flex-1 content-center gap-2">
              <Skeleton className="h-3 w-3/5" />
              <Skeleton className="h-2.5 w-2/5" />
            </div>
          </div>
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-4/5" />
          <Skeleton className="mt-6 h-3 w-2/5" />
        </div>
      ))}
    </div>
  )
}

/** Why the list is not the Hub's present one; nothing when it is. */
export function CatalogueNotice() {
  const { t, i18n } = useTranslation('spaces')
  const { result, failure, searching, again } = useCatalogue()
  const installed = useSpaces((state) => state.snapshot?.spaces.length ?? 0)
  const reason = failure ?? (result?.from === 'cache' ? result.failure : undefined)
  if (!reason && result?.from !== 'cache') return null

  const offline = reason === undefined || reason.code === 'hub/offline'
  const text = reason ? failureText(t, reason) : null
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' })
  const shown = result?.results.length
    ? result.cachedAt === undefined
      ? t('offline.older')
      : t('offline.cached', { when: when.format(result.cachedAt) })
    : installed > 0
      ? t('offline.installed')
      : t('offline.nothing')
  return (
    <Banner
      tone={offline || result ? 'fact' : 'danger'}
      title={offline ? t('offline.title') : text?.message}
      className="mb-4"
      action={
        <Button size="s" icon={<RotateCw aria-hidden="true" />} busy={searching} onClick={again}>
          {t('retry', { ns: 'common' })}
        </Button>
      }
    >
      {offline ? '' : text?.hint} {shown} {t('offline.rest')}
      {reason && <span className="mono ml-1.5 text-ink-3">{reason.code}</span>}
    </Banner>
  )
}

function Nothing() {
  const { t } = useTranslation('spaces')
  const { ask } = useCatalogue.getState()
  const filters = useCatalogue((state) => state.filters)
  return (
    <EmptyState
      title={t('empty.title')}
      actions={
        <>
          <Button onClick={() => ask({ query: '', filters: ['reachy-mini'] })}>{t('empty.clear')}</Button>
          {!filters.includes('mcp') && <Button onClick={() => ask({ filters: ['mcp'] })}>{t('empty.all')}</Button>}
        </>
      }
    >
      {t('empty.text')}
    </EmptyState>
  )
}

export interface BrowseProps {
  onInstall: (card: SpaceCardFacts) => void
}

/** The catalogue: the Hub's answer, an older one, or the installed Spaces when there is none. */
export function Browse({ onInstall }: BrowseProps) {
  const { t } = useTranslation('spaces')
  const { result, failure, searching, query } = useCatalogue()
  const snapshot = useSpaces((state) => state.snapshot)
  const installed = snapshot?.spaces ?? []

  useEffect(() => {
    const state = useCatalogue.getState()
    if (!state.result && !state.searching) state.again()
  }, [])

  // Without the Hub and without an older answer the installed Spaces are what there is to show.
  const older = result?.from === 'hub' || result?.results.length || query !== '' ? result?.results : null
  const cards = older ?? (failure || (result && query === '') ? installed.map(cardOfInstalled) : null)
  return (
    <>
      <p role="status" className="sr-only">
        {searching ? t('searching') : result ? t('count', { count: result.results.length }) : ''}
      </p>
      {cards === null ? (
        <Waiting />
      ) : cards.length === 0 ? (
        (result?.from === 'hub' || query !== '') && <Nothing />
      ) : (
        <ul aria-label={t('list')} aria-busy={searching} className={GRID}>
          {cards.map((card) => (
            <li key={card.slug} className="flex min-w-0">
              <SpaceCard
                card={card}
                installed={snapshot ? installed.some((space) => sameSlug(space.slug, card.slug)) : card.installed}
                locked={snapshot?.readOnly ?? false}
                known={!older || !result ? 'nothing' : result.from === 'hub' ? 'stage' : 'facts'}
                onInstall={onInstall}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
