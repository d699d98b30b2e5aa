import { Ban, Check, Clock, Hand, Square, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatSeconds } from '../../app/format.ts'
import { cx, Spinner } from '../../components/index.ts'

import { useNow } from './use-now.ts'

import type { ToolCall, ToolCallState } from '../../../electron/contract/index.ts'
import type { ReactNode } from 'react'

const LOOK: Record<ToolCallState, { className: string; icon: ReactNode }> = {
  waiting: { className: 'text-ink-2', icon: <Clock /> },
  running: { className: 'text-accent-ink', icon: <Spinner /> },
  done: { className: 'text-ink-2 [&>svg]:text-success', icon: <Check /> },
  failed: { className: 'text-danger', icon: <TriangleAlert /> },
  stopped: { className: 'text-ink-2', icon: <Square /> },
  refused: { className: 'text-warn', icon: <Ban /> },
}

/** The state of a call as icon and word, with the time it took so far. */
export function CallState({ call }: { call: ToolCall }) {
  const { t, i18n } = useTranslation('chat')
  const running = call.state === 'running'
  const now = useNow(running)
  const asks = call.state === 'waiting' && call.approval !== undefined
  const { className, icon } = asks ? { className: 'text-warn', icon: <Hand /> } : LOOK[call.state]
  const elapsed =
    call.durationMs ?? (running && call.startedAt !== undefined ? Math.max(0, now - call.startedAt) : null)
  return (
    <span
      className={cx(
        'inline-flex shrink-0 items-center gap-1.5 text-small whitespace-nowrap [&>svg]:size-3.5',
        className,
      )}
    >
      {icon}
      <span>{asks ? t('waiting', { ns: 'trust' }) : t(`state.${call.state}`)}</span>
      {elapsed !== null && <span className="text-ink-3">{formatSeconds(i18n.language, elapsed / 1000)}</span>}
    </span>
  )
}
