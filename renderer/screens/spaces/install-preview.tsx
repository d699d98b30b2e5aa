import { Ban, Check, Globe, KeyRound, TriangleAlert } from 'lucide-react'
import { Checkbox } from 'radix-ui'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { Badge, Banner, ToolId, cx } from '../../components/index.ts'

import { useInstall } from './install-store.ts'
import { hostOf, parameterNames, toolName } from './preview-facts.ts'

import type { PreviewTool, SpacePreview, ToolWarning } from '../../../electron/contract/index.ts'

function CheckBox({
  label,
  checked,
  onChange,
  disabled,
}: {
  label: string
  checked: boolean
  onChange: (on: boolean) => void
  disabled: boolean
}) {
  return (
    <Checkbox.Root
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next === true)}
      className={cx(
        'relative mt-px grid size-4.5 shrink-0 place-items-center rounded-[0.3125rem] border border-control bg-raised',
        'after:absolute after:-inset-1.5 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        'data-[state=checked]:text-on-accent',
      )}
    >
      <Checkbox.Indicator>
        <Check aria-hidden="true" strokeWidth={2.6} className="size-3.5" />
      </Checkbox.Indicator>
    </Checkbox.Root>
  )
}

function Warnings({ tool }: { tool: PreviewTool }) {
  const { t } = useTranslation('spaces')
  const loud: readonly ToolWarning[] = ['gives-orders', 'names-other-tools']
  if (tool.warnings.length === 0) return null
  return (
    <>
      <ul className="mt-1.5 grid gap-1">
        {tool.warnings.map((warning) => (
          <li key={warning} className="flex gap-1.5 text-small text-warn">
            <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
            {t(`dialog.warnings.${warning}`)}
          </li>
        ))}
      </ul>
      {tool.warnings.some((warning) => loud.includes(warning)) && (
        <p className="mt-1.5 mb-0.5 rounded-control bg-warn-soft px-2.5 py-1.5 text-small wrap-anywhere whitespace-pre-wrap text-ink">
          “{tool.description}”
        </p>
      )}
    </>
  )
}

function Offer({ tool, checked, disabled }: { tool: PreviewTool; checked: boolean; disabled: boolean }) {
  const { t } = useTranslation('spaces')
  const { choose } = useInstall.getState()
  const usable = tool.status === 'usable' && tool.id !== null
  const names = parameterNames(tool.parameters)
  const quoted = tool.warnings.includes('gives-orders') || tool.warnings.includes('names-other-tools')
  const reason = tool.problem ? failureText(t, tool.problem) : null
  return (
    <li className="flex gap-3 px-3 py-2.5 not-first:border-t not-first:border-line">
      {usable && tool.id !== null ? (
        <CheckBox
          label={t('dialog.tool', { id: tool.id })}
          checked={checked}
          disabled={disabled}
          onChange={(on) => choose(tool.id ?? '', on)}
        />
      ) : (
        <Ban aria-hidden="true" className="mt-px size-4.5 shrink-0 text-ink-3" />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className={cx('font-strong break-all', !usable && 'text-ink-3 line-through')}>{toolName(tool)}</span>
          {usable && (
            <span className="mono min-w-0 text-[0.6875rem] wrap-anywhere text-ink-3">
              {names.length > 0 ? (
                <>
                  <span aria-hidden="true">{names.join(', ')}</span>
                  <span className="sr-only">{t('dialog.parameters', { names: names.join(', ') })}</span>
                </>
              ) : (
                t('dialog.noParameters')
              )}
            </span>
          )}
          {tool.change && tool.change !== 'same' && (
            <Badge tone={tool.change === 'changed' ? 'warn' : 'accent'}>{t(`dialog.change.${tool.change}`)}</Badge>
          )}
        </p>
        {tool.id !== null && tool.id !== toolName(tool) && (
          <p className="flex min-w-0">
            <ToolId id={tool.id} className="text-[0.6875rem]" />
          </p>
        )}
        {!quoted && (
          <p className="text-small wrap-anywhere whitespace-pre-line text-ink-2">
            {tool.description || t('dialog.noWords')}
          </p>
        )}
        {!usable && (
          <p className="mt-0.5 text-small wrap-anywhere text-ink-2">
            <strong className="font-strong text-danger">{t('dialog.cannot')}</strong> {reason?.message} {reason?.hint}
            {tool.problem && <span className="mono ml-1.5 text-ink-3">{tool.problem.code}</span>}
          </p>
        )}
        <Warnings tool={tool} />
      </div>
    </li>
  )
}

/** From here on models choose worse among tools. */
const MANY_TOOLS = 25

/** What a Space offers, before anything is written: its tools, its origin, what leaves this computer. */
export function InstallPreview({
  preview,
  chosen,
  disabled,
}: {
  preview: SpacePreview
  chosen: ReadonlySet<string>
  disabled: boolean
}) {
  const { t } = useTranslation('spaces')
  const { slug, movedFrom, removedTools } = preview
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {(movedFrom !== undefined || preview.refresh) && (
        <Banner>
          {movedFrom !== undefined && t('dialog.moved', { from: movedFrom, slug })}{' '}
          {preview.refresh && t('dialog.refresh')}
        </Banner>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-strong">{preview.refresh ? t('dialog.offers') : t('dialog.adds')}</h3>
        <span className="text-small text-ink-3">{t('dialog.ownWords')}</span>
      </div>
      <ul className="rounded-card border border-line">
        {preview.tools.map((tool, index) => (
          <Offer
            // A server may list one name twice.
            key={`${index} ${tool.remoteName}`}
            tool={tool}
            checked={tool.id !== null && chosen.has(tool.id)}
            disabled={disabled}
          />
        ))}
      </ul>
      {chosen.size > MANY_TOOLS && <Banner tone="warn">{t('dialog.many', { limit: MANY_TOOLS })}</Banner>}
      {removedTools.length > 0 && (
        <p className="text-small wrap-anywhere text-warn">{t('dialog.removed', { names: removedTools.join(', ') })}</p>
      )}
      <ul className="grid gap-1.5 text-small text-ink-2 [&_svg]:mt-px [&_svg]:size-3.75 [&_svg]:shrink-0 [&_svg]:text-ink-3">
        <li className="flex gap-2">
          <Globe aria-hidden="true" />
          <span className="min-w-0 wrap-anywhere">{t('dialog.facts.leaves', { host: hostOf(preview.mcpUrl) })}</span>
        </li>
        <li className="flex gap-2">
          <KeyRound aria-hidden="true" />
          {preview.sendsToken ? t('dialog.facts.token') : t('dialog.facts.noToken')}
        </li>
      </ul>
    </div>
  )
}
