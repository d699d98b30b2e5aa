import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmotionPreview } from '../../components/emotion/emotion-preview.tsx'
import { Button, Card, Chip, EmptyState, FailureBanner, Skeleton } from '../../components/index.ts'
import { useMoves } from '../../stores/moves.ts'

import { groupMoves, searchMoves } from './filter-moves.ts'
import { MoveCard } from './move-card.tsx'
import { neighbour } from './neighbour.ts'

import type { MoveFamily } from '../../../electron/contract/index.ts'
import type { FamilyGroup } from './filter-moves.ts'
import type { KeyboardEvent } from 'react'

/** A pointer that only crosses a card does not start its preview, milliseconds. */
const HOVER_MS = 140

function Filters({ groups, family, onFamily }: FiltersProps) {
  const { t } = useTranslation('robot')
  const total = groups.reduce((sum, group) => sum + group.moves.length, 0)
  return (
    <div className="scroll-quiet flex shrink-0 flex-wrap gap-2 px-6 pt-1 pb-4 narrow:px-4 narrow:pb-3">
      <Chip pressed={family === null} count={total} onChange={() => onFamily(null)}>
        {t('all')}
      </Chip>
      {groups.map((group) => (
        <Chip
          key={group.family}
          pressed={family === group.family}
          count={group.moves.length}
          onChange={(pressed) => onFamily(pressed ? group.family : null)}
        >
          {t(`families.${group.family}`)}
        </Chip>
      ))}
    </div>
  )
}

interface FiltersProps {
  groups: readonly FamilyGroup[]
  family: MoveFamily | null
  onFamily: (family: MoveFamily | null) => void
}

/** Goes with the arrows from card to card, in all four directions as they lie on screen. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-move]')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  const boxes = buttons.map((button) => button.getBoundingClientRect())
  const next = index < 0 ? null : neighbour(boxes, index, event.key)
  if (next === null) return
  event.preventDefault()
  buttons[next]?.focus()
}

interface Shown {
  shown: string | null
  show: (move: string) => void
  /** The pointer left the cards; `now` when it came to the preview, whose button must mean the chosen move. */
  leave: (now: boolean) => void
}

/** The card under pointer or focus, after a moment; then the chosen one again, if there is one. */
function useShown(chosen: string | null): Shown {
  const [hovered, setHovered] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    shown: hovered ?? chosen,
    show: (move) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setHovered(move), HOVER_MS)
    },
    leave: (now) => {
      clearTimeout(timer.current)
      if (chosen === null) return
      if (now) setHovered(null)
      else timer.current = setTimeout(() => setHovered(null), HOVER_MS)
    },
  }
}

/** All that the robot can express, with a preview that plays the real trajectory. */
export function EmotionsTab({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const { t } = useTranslation('robot')
  const moves = useMoves((store) => store.moves)
  const failure = useMoves((store) => store.failure)
  const [family, setFamily] = useState<MoveFamily | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const { shown, show, leave } = useShown(chosen)

  useEffect(() => {
    void useMoves.getState().load()
  }, [])

  const found = useMemo(
    () => groupMoves(searchMoves(moves ?? [], query, (name) => t(`families.${name}`))),
    [moves, query, t],
  )
  const groups = found.filter((group) => family === null || group.family === family)
  const first = groups[0]?.moves[0]?.name ?? null
  const visible = new Set(groups.flatMap((group) => group.moves.map((move) => move.name)))
  const tabStop = shown !== null && visible.has(shown) ? shown : first
  const preview = shown ?? first

  return (
    <>
      <Filters groups={found} family={family} onFamily={setFamily} />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_19rem] gap-5 px-6 narrow:grid-cols-[minmax(0,1fr)_16.5rem] narrow:gap-4 narrow:px-4">
        <section
          role="region"
          aria-label={t('emotions')}
          onKeyDown={moveByArrow}
          onPointerLeave={() => leave(false)}
          className="scroll-quiet -mx-1 min-h-0 overflow-y-auto px-1 pb-6"
        >
          {failure && <FailureBanner failure={failure} />}
          {!moves && !failure && <Skeleton className="h-44" />}
          {moves?.length === 0 && <EmptyState title={t('noMoves')} />}
          {moves && moves.length > 0 && groups.length === 0 && (
            <EmptyState
              title={t('noneFound', { query })}
              actions={
                <Button
                  onClick={() => {
                    onQuery('')
                    setFamily(null)
                  }}
                >
                  {t('showAll')}
                </Button>
              }
            >
              {t('noneFoundText')}
            </EmptyState>
          )}
          {groups.map((group) => (
            <div key={group.family} className="pb-4">
              <h2 className="flex items-baseline gap-1.5 pb-2 font-strong">
                {t(`families.${group.family}`)}
                <span className="text-small font-normal text-ink-3">{group.moves.length}</span>
              </h2>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-3">
                {group.moves.map((move) => (
                  <MoveCard
                    key={move.name}
                    move={move}
                    chosen={chosen === move.name}
                    tabStop={tabStop === move.name}
                    onShow={() => show(move.name)}
                    onChoose={() => setChosen(move.name)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
        <section
          role="region"
          aria-label={t('preview')}
          onPointerEnter={() => leave(true)}
          className="flex min-h-0 flex-col pb-6 narrow:pb-4"
        >
          <Card className="flex min-h-0 flex-col overflow-hidden">
            {preview ? (
              <EmotionPreview move={preview} autoPlay={shown !== null} />
            ) : (
              <EmptyState title={t('chooseTitle')}>{t('chooseText')}</EmptyState>
            )}
          </Card>
        </section>
      </div>
    </>
  )
}
