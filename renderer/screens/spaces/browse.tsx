import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { dayWord } from '../../app/when.ts'
import { Banner, Button, EmptyState, Skeleton, cx } from '../../components/index.ts'
import { useSpaces } from '../../stores/spaces.ts'

import { useCatalogue } from './catalogue-store.ts'
import { openSpace } from './detail/detail-store.ts'
import { cardOfInstalled, sameSlug } from './preview-facts.ts'
import { SpaceCard } from './space-card.tsx'

import type { SpaceCard as SpaceCardFacts } from '../../../electron/contract/index.ts'
import type { Known } from './space-card.tsx'

const GRID = 'grid auto-rows-[1fr] grid-cols-[repeat(auto-fill,minmax(16.5rem,1fr))] gap-4 narrow:gap-3'
/** How far below the window's edge the next entries are asked for: two rows. */
const AHEAD = '0px 0px 400px 0px'

function Waiting({ count }: { count: number }) {
  return (
    <div aria-hidden="true" className={GRID}>
      {Array.from({ length: count }, (_, i) => (
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

/** Reads the list on when its end comes near; by button where nothing scrolls, and after a failure. */
function End() {
  const { t } = useTranslation('spaces')
  const { result, readingOn, moreFailure, more, again } = useCatalogue()
  const mark = useRef<HTMLDivElement>(null)
  const next = result?.next
  const length = result?.results.length ?? 0
  const failed = moreFailure !== null

  useEffect(() => {
    const element = mark.current
    if (next === undefined || failed || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void more()
      },
      { root: element.closest('[data-region="sheet"]'), rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
    // Observed anew after each page: a mark that stays in sight is not reported a second time.
  }, [next, length, failed, more])

  if (next === undefined) return null
  const text = moreFailure ? failureText(t, moreFailure) : null
  const forgotten = moreFailure?.code === 'app/cancelled'
  return (
    <div ref={mark} className="mt-4 grid justify-items-center gap-3">
      {readingOn && (
        <div className="w-full">
          <Waiting count={3} />
        </div>
      )}
      {text && (
        <Banner
          tone="warn"
          title={t('moreFailed')}
          className="w-full"
          action={
            forgotten ? (
              <Button size="s" onClick={again}>
                {t('searchAgain')}
              </Button>
            ) : undefined
          }
        >
          {!forgotten && (
            <>
              {text.message} {text.hint} <span className="mono text-ink-3">{moreFailure?.code}</span>
            </>
          )}
        </Banner>
      )}
      {!forgotten && (
        <Button busy={readingOn} onClick={() => void more()}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

/** Searches that find something more often. */
function Nothing() {
  const { t } = useTranslation('spaces')
  const { ask } = useCatalogue.getState()
  const { filters, query } = useCatalogue()
  const words = query.trim().split(/\s+/)
  return (
    <EmptyState
      title={t('empty.title')}
      actions={
        <>
          <Button onClick={() => ask({ query: '', filters: ['reachy-mini'] })}>{t('empty.clear')}</Button>
          {!filters.includes('mcp') && <Button onClick={() => ask({ filters: ['mcp'] })}>{t('empty.all')}</Button>}
          {words.length > 1 &&
            words.slice(0, 3).map((word) => (
              <Button key={word} variant="quiet" onClick={() => ask({ query: word })}>
                “{word}”
              </Button>
            ))}
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
  const { t, i18n } = useTranslation('spaces')
  const { result, failure, searching, query, lookedAt } = useCatalogue()
  const list = useRef<HTMLUListElement>(null)
  const snapshot = useSpaces((state) => state.snapshot)
  const installed = snapshot?.spaces ?? []

  useEffect(() => {
    const state = useCatalogue.getState()
    if (!state.result && !state.searching) state.again()
    // Back from a Space: the keyboard goes on where it left.
    if (lookedAt === null) return
    list.current
      ?.querySelector<HTMLElement>(`[data-slug="${CSS.escape(lookedAt)}"] h2 button`)
      ?.focus({ preventScroll: true })
    useCatalogue.setState({ lookedAt: null })
  }, [lookedAt])

  // Without the Hub and without an older answer the installed Spaces are what there is to show.
  const older = result?.from === 'hub' || result?.results.length || query !== '' ? result?.results : null
  const cards = older ?? (failure || (result && query === '') ? installed.map(cardOfInstalled) : null)
  const known: Known =
    !older || !result
      ? { what: 'nothing' }
      : result.from === 'hub'
        ? { what: 'now' }
        : result.cachedAt === undefined
          ? { what: 'nothing' }
          : { what: 'then', when: dayWord(i18n.language, result.cachedAt) }
  const look = (card: SpaceCardFacts): void => {
    useCatalogue.setState({ lookedAt: card.slug })
    openSpace(card.slug, card)
  }
  return (
    <>
      <p role="status" className="sr-only">
        {searching ? t('searching') : result ? t('count', { count: result.results.length }) : ''}
      </p>
      {cards === null ? (
        <Waiting count={9} />
      ) : cards.length === 0 ? (
        (result?.from === 'hub' || query !== '') && <Nothing />
      ) : (
        <>
          <ul
            ref={list}
            aria-label={t('list')}
            aria-busy={searching}
            className={cx(GRID, 'transition-opacity duration-quick', searching && 'opacity-60')}
          >
            {cards.map((card) => {
              const entry = installed.find((space) => sameSlug(space.slug, card.slug))
              return (
                <li key={card.slug} data-slug={card.slug} className="flex min-w-0">
                  <SpaceCard
                    card={card}
                    installed={snapshot ? entry !== undefined : card.installed}
                    changed={entry?.review !== undefined}
                    locked={snapshot?.readOnly ?? false}
                    known={known}
                    offline={result?.from === 'cache' && result.failure?.code === 'hub/offline'}
                    onInstall={onInstall}
                    onLook={look}
                  />
                </li>
              )
            })}
          </ul>
          <End />
        </>
      )}
    </>
  )
}
