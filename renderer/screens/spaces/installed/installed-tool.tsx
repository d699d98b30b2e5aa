import { memo } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { Badge, ToolId, cx } from '../../../components/index.ts'
import { toolName } from '../preview-facts.ts'
import { SeenText } from '../seen-text.tsx'
import { listOf } from '../tell-done.ts'

import type { RemoteTool } from '../../../../electron/contract/index.ts'
import type { ToolState } from './installed-facts.ts'

const TONES = { usable: 'neutral', rejected: 'neutral', gone: 'neutral', changed: 'warn', added: 'accent' } as const

export interface InstalledToolProps {
  tool: RemoteTool
  state: ToolState
  onIn: readonly string[]
  /** What is said of the Space as a whole: not said again. */
  usedIn: string
}

/** One tool of an installed Space: its state, why, and where it is switched on. */
export const InstalledTool = memo(function InstalledTool({ tool, state, onIn, usedIn }: InstalledToolProps) {
  const { t } = useTranslation('keep')
  // The state says so already.
  const spoken = state === 'gone' || state === 'changed'
  const reason = tool.problem && !spoken ? failureText(t, tool.problem) : null
  const quiet = state === 'gone' || state === 'rejected'
  const name = toolName(tool)
  const profiles = listOf(onIn)
  const where =
    profiles === usedIn || quiet
      ? null
      : profiles === ''
        ? t('installed.unused', { ns: 'spaces' })
        : t('installed.onIn', { profiles })
  return (
    <li className="grid gap-0.5 py-2 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] not-first:border-t not-first:border-line">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
        <p
          className={cx(
            'font-medium break-all',
            quiet && 'text-ink-3',
            (state === 'rejected' || state === 'gone') && 'line-through',
          )}
        >
          {name}
        </p>
        {tool.id !== null && tool.id !== name && <ToolId id={tool.id} className="text-[0.6875rem]" />}
        {state === 'usable' ? (
          <span className="sr-only">{t('installed.state.usable')}</span>
        ) : (
          <Badge tone={TONES[state]}>{t(`installed.state.${state}`)}</Badge>
        )}
        {where !== null && <span className="ml-auto text-small text-ink-3">{where}</span>}
      </div>
      {tool.description && (
        <p className={cx('line-clamp-2 text-small wrap-anywhere', state === 'gone' ? 'text-ink-3' : 'text-ink-2')}>
          <SeenText text={tool.description} />
        </p>
      )}
      {reason && (
        <p className="text-small wrap-anywhere text-warn">
          {reason.message} {reason.hint}
        </p>
      )}
    </li>
  )
})
