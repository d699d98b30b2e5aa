import { Eye, Info, Lock } from 'lucide-react'
import { memo, useId } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { currentLanguage, toolDescription } from '../../../app/language.ts'
import { Button, Switch, cx } from '../../../components/index.ts'
import { FileActions } from '../local/file-actions.tsx'

import { reviewTool } from './review-tool.ts'
import { rowState, shortReason } from './row-state.ts'

import type { ToolEntry } from '../../../../electron/contract/index.ts'
import type { RowKind } from './row-state.ts'
import type { TFunction } from 'i18next'

const ICONS: Partial<Record<RowKind, typeof Info>> = { changed: Eye, 'not-allowed': Lock, 'file-changed': Lock }

/** Why the row is as it is, in one or two sentences; `undefined`: there is nothing to explain. */
function reasonOf(t: TFunction<'local'>, tool: ToolEntry, kind: RowKind): string | undefined {
  switch (kind) {
    case 'usable':
      return undefined
    case 'system':
      return t('tools.systemWhy', { ns: 'profiles' })
    case 'autoloaded':
    case 'changed':
    case 'not-allowed':
    case 'file-changed':
    case 'refused':
      return t(`why.${kind}`)
    case 'cannot': {
      if (!tool.problem) return t('why.cannot')
      const short = shortReason(tool.problem, currentLanguage())
      if (short !== undefined) return short
      const { message, hint } = failureText(t, tool.problem)
      return [message, hint].filter(Boolean).join(' ')
    }
  }
}

export interface ToolRowProps {
  tool: ToolEntry
  /** Whether the text of tools.txt names it now. */
  listed: boolean
  readOnly: boolean
  onPress: (id: string, on: boolean) => void
}

/** One tool: its switch, what it does or why it cannot, and what can be done about that. */
export const ToolRow = memo(function ToolRow({ tool, listed, readOnly, onPress }: ToolRowProps) {
  const { t } = useTranslation('local')
  const id = useId()
  const state = rowState(tool, listed, readOnly)
  const reason = reasonOf(t, tool, state.kind)
  const Icon = ICONS[state.kind] ?? Info
  const words = toolDescription(tool)
  const isQuiet = state.fixed && !state.on
  return (
    <li className="flex min-h-10.5 items-center gap-3 border-t border-line px-1 py-1">
      <Switch
        label={tool.id}
        checked={state.on}
        idle={state.on && !state.works}
        disabled={state.fixed}
        describedBy={`${id}-note`}
        onChange={(next) => onPress(tool.id, next)}
      />
      <div className="min-w-0 flex-1">
        <p title={tool.id} className={cx('mono truncate leading-4.5', isQuiet ? 'text-ink-3' : 'text-ink')}>
          {tool.shortName}
        </p>
        {reason ? (
          <p id={`${id}-note`} className="flex gap-1 text-small text-ink-2">
            <Icon aria-hidden="true" className="mt-px size-3.5 shrink-0" />
            <span className="line-clamp-3 min-w-0 wrap-anywhere" title={reason}>
              {state.on && !state.works && <span className="sr-only">{t('why.listed')} </span>}
              {reason}
            </span>
          </p>
        ) : (
          <p id={`${id}-note`} className="truncate text-small text-ink-3" title={words}>
            {words || t('tools.noWords', { ns: 'profiles' })}
          </p>
        )}
      </div>
      {state.kind === 'changed' && (
        <Button
          size="s"
          aria-label={t('profileRow.reviewNamed', { ns: 'keep', id: tool.id })}
          onClick={() => reviewTool(tool)}
        >
          {t('profileRow.review', { ns: 'keep' })}
        </Button>
      )}
      {tool.file && <FileActions tool={tool} file={tool.file} />}
    </li>
  )
})
