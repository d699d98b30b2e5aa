import { Equal } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatSeconds } from '../../app/format.ts'
import { SourceGlyph } from '../../components/index.ts'
import { EmotionPreview } from '../robot/index.ts'

import { ApprovalCard } from './approval-card.tsx'
import { CallState } from './call-state.tsx'
import { lanes, moveOf } from './describe-call.ts'
import { isOpen } from './group-parts.ts'
import { ToolCallCard } from './tool-call-card.tsx'
import { useNow } from './use-now.ts'

import type { ToolCall } from '../../../electron/contract/index.ts'

/** A call that plays a move: the real trajectory beside its state. */
function MoveCard({ call, move }: { call: ToolCall; move: string }) {
  const { t } = useTranslation('chat')
  return (
    <section
      role="group"
      aria-label={t('toolCall', { id: call.toolId })}
      className="overflow-hidden rounded-card border border-line bg-raised shadow-raised"
    >
      <header className="flex min-h-11 items-center gap-3 border-b border-line px-3 py-2">
        <SourceGlyph source="built-in" />
        <div className="grid min-w-0 flex-1">
          <h3 className="truncate font-strong">{move}</h3>
          <span className="mono truncate text-ink-3">{call.toolId}</span>
        </div>
        <CallState call={call} />
      </header>
      {call.approval && (
        <div className="border-b border-line pt-3">
          <ApprovalCard call={call} name={move} />
        </div>
      )}
      <EmotionPreview move={move} compact autoPlay={isOpen(call) || call.state === 'done'} />
    </section>
  )
}

function ParallelHead({ calls }: { calls: readonly ToolCall[] }) {
  const { t, i18n } = useTranslation('chat')
  const now = useNow(calls.some((call) => call.state === 'running'))
  const timing = lanes(calls, now)
  return (
    <div className="flex items-center gap-2 text-small font-medium text-ink-2">
      <Equal aria-hidden="true" className="size-4" />
      <span>{t('atTheSameTime', { count: calls.length })}</span>
      {timing && (
        <span className="ml-auto inline-flex items-center gap-3">
          <svg aria-hidden="true" viewBox={`0 0 140 ${timing.lanes.length * 5 + 4}`} className="w-35">
            {timing.lanes.map((lane, index) => (
              <rect
                key={index}
                x={lane.start * 140}
                y={index * 5}
                width={Math.max(2, (lane.end - lane.start) * 140)}
                height={3}
                rx={1.5}
                className={calls[index]?.state === 'running' ? 'fill-accent' : 'fill-ink-3'}
              />
            ))}
            <path d={`M0.5 ${timing.lanes.length * 5 + 3.5}h139`} className="stroke-line-strong" />
          </svg>
          <span className="font-normal text-ink-3">{formatSeconds(i18n.language, timing.spanMs / 1000)}</span>
        </span>
      )}
    </div>
  )
}

/** The calls of one model turn. */
export function CallGroup({
  calls,
  moves,
  latest,
}: {
  calls: readonly ToolCall[]
  moves: ReadonlySet<string>
  latest: boolean
}) {
  const plain = calls.filter((call) => moveOf(call, moves) === null)
  const motions = calls.flatMap((call) => {
    const move = moveOf(call, moves)
    return move === null ? [] : [{ call, move }]
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {plain.length > 1 && <ParallelHead calls={plain} />}
      {plain.length > 0 && (
        <div
          className={
            plain.length > 1 ? 'grid items-start gap-3 sm:grid-cols-2' : 'grid grid-cols-[minmax(0,1fr)] gap-3'
          }
        >
          {plain.map((call) => (
            <ToolCallCard key={call.callId} call={call} collapsible={!latest} />
          ))}
        </div>
      )}
      {motions.map(({ call, move }) => (
        <MoveCard key={call.callId} call={call} move={move} />
      ))}
    </div>
  )
}
