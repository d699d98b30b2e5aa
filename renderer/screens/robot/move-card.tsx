import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { formatSeconds } from '../../app/format.ts'
import { SparkLine } from '../../components/emotion/move-plot.tsx'
import { AmplitudeBadge, cx } from '../../components/index.ts'
import { Puppet2D } from '../../components/puppet/puppet-2d.tsx'
import { useMoves } from '../../stores/moves.ts'

import type { MoveInfo } from '../../../electron/contract/index.ts'

export interface MoveCardProps {
  move: MoveInfo
  chosen: boolean
  /** The one card that Tab reaches; arrows go on from it. */
  tabStop: boolean
  onShow: () => void
  onChoose: () => void
}

/** One move of the palette: its key frame, its curves, its name. The picture is made when the card comes into view. */
export function MoveCard({ move, chosen, tabStop, onShow, onChoose }: MoveCardProps) {
  const { i18n } = useTranslation()
  const sketch = useMoves((store) => store.sketches[move.name])
  const card = useRef<HTMLLIElement>(null)
  const { wantSketch } = useMoves.getState()

  useEffect(() => {
    const element = card.current
    if (!element || sketch) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      wantSketch(move.name)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [move.name, sketch, wantSketch])

  return (
    <li
      ref={card}
      onPointerEnter={onShow}
      className={cx(
        'relative overflow-hidden rounded-card border bg-raised shadow-raised transition-shadow duration-quick',
        chosen ? 'border-accent shadow-[0_0_0_1px_var(--color-accent)]' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="h-24 bg-sunken">{sketch && <Puppet2D pose={sketch.pose} view="card" />}</div>
      <div className="min-h-10 px-2.25 pt-1.5">{sketch && <SparkLine curves={sketch.curves} />}</div>
      <button
        type="button"
        data-move={move.name}
        aria-pressed={chosen}
        aria-describedby={`move-meta-${move.name}`}
        tabIndex={tabStop ? 0 : -1}
        onFocus={onShow}
        onClick={onChoose}
        className="block w-full truncate px-2.5 pt-1 text-left font-medium outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
      >
        {move.name}
      </button>
      <p id={`move-meta-${move.name}`} className="flex justify-between px-2.5 pb-1.75 text-small text-ink-3">
        <span>{formatSeconds(i18n.language, move.duration)}</span>
        <AmplitudeBadge amplitude={move.amplitude} word={false} />
      </p>
    </li>
  )
}
