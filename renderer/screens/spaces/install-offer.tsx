import { Ban, TriangleAlert } from 'lucide-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { Badge, CheckBox, ToolId, cx } from '../../components/index.ts'

import { parameterNames, toolName } from './preview-facts.ts'
import { prettyLines } from './review/pretty-schema.ts'
import { oddSpans } from './review/text-marks.ts'
import { ToolDifference } from './review/tool-difference.tsx'
import { SeenText } from './seen-text.tsx'

import type { PreviewTool } from '../../../electron/contract/index.ts'

export interface TextsBefore {
  readonly description: string
  readonly parameters: PreviewTool['parameters']
}

/** From here on a description is folded. */
const LONG = 260
/** A warned place that is quoted is never folded, but it has an end. */
const MOST_QUOTED = 1_500

const isLong = (description: string): boolean => description.length > LONG || description.split('\n').length > 4

function Description({ tool, name }: { tool: PreviewTool; name: string }) {
  const { t } = useTranslation('keep')
  const [open, setOpen] = useState(false)
  const { description } = tool
  if (description === '') return <p className="text-small text-ink-3">{t('dialog.noWords', { ns: 'spaces' })}</p>
  const long = isLong(description)
  return (
    <>
      <p
        className={cx(
          'text-small wrap-anywhere whitespace-pre-line text-ink-2',
          long && !open && 'line-clamp-3',
          long && open && 'scroll-quiet max-h-60 overflow-y-auto',
        )}
        tabIndex={long && open ? 0 : undefined}
      >
        “<SeenText ground text={description} spans={oddSpans(description, tool.warnings, tool.otherTools ?? [])} />”
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={open}
          aria-label={open ? undefined : t('install.moreOf', { name })}
          onClick={() => setOpen(!open)}
          className="link text-small"
        >
          {open ? t('install.less') : t('install.more')}
        </button>
      )}
    </>
  )
}

/** The places that gave the warning, in the server's own words, where they may be folded away. */
function quoteOf(tool: PreviewTool): string | null {
  const loud = tool.warnings.includes('gives-orders') || tool.warnings.includes('names-other-tools')
  if (!loud || !isLong(tool.description)) return null
  const spans = oddSpans(tool.description, tool.warnings, tool.otherTools ?? [])
  const words = spans.map(({ from, to }) => tool.description.slice(from, to)).join(' … ')
  // What is not in the description stands in the schema, which can be opened.
  return words === '' ? null : words.slice(0, MOST_QUOTED)
}

function Warnings({ tool }: { tool: PreviewTool }) {
  const { t } = useTranslation('spaces')
  if (tool.warnings.length === 0) return null
  const quote = quoteOf(tool)
  const names = (tool.otherTools ?? []).join(', ')
  return (
    <>
      <ul className="mt-1 grid gap-1">
        {tool.warnings.map((warning) => (
          <li key={warning} className="flex gap-1.5 text-small text-warn">
            <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {t(`dialog.warnings.${warning}`)}
              {warning === 'names-other-tools' && names !== '' && <span className="mono ml-1.5">{names}</span>}
            </span>
          </li>
        ))}
      </ul>
      {quote && (
        <blockquote className="mt-1.5 mb-0.5 rounded-control bg-warn-soft px-2.5 py-1.5 text-small wrap-anywhere whitespace-pre-wrap text-ink">
          “<SeenText text={quote} />”
        </blockquote>
      )}
    </>
  )
}

function Parameters({ tool, name }: { tool: PreviewTool; name: string }) {
  const { t } = useTranslation('keep')
  const [open, setOpen] = useState(false)
  const names = parameterNames(tool.parameters)
  if (names.length === 0)
    return <span className="mono text-[0.6875rem] text-ink-3">{t('dialog.noParameters', { ns: 'spaces' })}</span>
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${t('install.schemaOf', { name })}: ${names.join(', ')}`}
        onClick={() => setOpen(!open)}
        className="mono min-w-0 text-left text-[0.6875rem] wrap-anywhere text-ink-3 underline decoration-dotted underline-offset-2 hover:text-ink"
      >
        {names.join(', ')}
      </button>
      {open && (
        <div
          role="group"
          aria-label={t('install.schemaOf', { name })}
          tabIndex={0}
          className="scroll-quiet mono mt-1 max-h-60 basis-full overflow-y-auto rounded-control bg-sunken px-2.5 py-1.5 wrap-anywhere whitespace-pre-wrap text-ink-2"
        >
          <SeenText text={prettyLines(tool.parameters).join('\n')} />
        </div>
      )}
    </>
  )
}

export interface OfferProps {
  tool: PreviewTool
  checked: boolean
  disabled: boolean
  /** As approved, for a tool that has changed since. */
  before: TextsBefore | undefined
  onChoose: (ids: readonly string[], on: boolean) => void
}

/** One tool that a Space offers, in its own words, with the reasons to think twice. */
export const Offer = memo(function Offer({ tool, checked, disabled, before, onChoose }: OfferProps) {
  const { t } = useTranslation('spaces')
  const { id } = tool
  const usable = tool.status === 'usable' && id !== null
  const name = toolName(tool)
  const reason = tool.problem ? failureText(t, tool.problem) : null
  return (
    <li className="flex gap-3 px-3 py-2.5 [contain-intrinsic-size:auto_4rem] [content-visibility:auto] not-first:border-t not-first:border-line">
      {usable ? (
        <CheckBox
          label={t('dialog.tool', { id })}
          checked={checked}
          disabled={disabled}
          onChange={(on) => onChoose([id], on)}
        />
      ) : (
        <Ban aria-hidden="true" className="mt-px size-4.5 shrink-0 text-ink-3" />
      )}
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <p className={cx('font-strong break-all', !usable && 'text-ink-3 line-through')}>{name}</p>
          {usable && <Parameters tool={tool} name={name} />}
          {tool.change && tool.change !== 'same' && (
            <Badge tone={tool.change === 'changed' ? 'warn' : 'accent'}>{t(`dialog.change.${tool.change}`)}</Badge>
          )}
        </div>
        {id !== null && id !== name && (
          <p className="flex min-w-0">
            <ToolId id={id} className="text-[0.6875rem]" />
          </p>
        )}
        {tool.change === 'changed' && before ? (
          <div className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-2">
            <ToolDifference before={before} after={tool} warnings={tool.warnings} otherTools={tool.otherTools ?? []} />
          </div>
        ) : (
          <Description tool={tool} name={name} />
        )}
        {!usable && (
          <p className="mt-0.5 text-small wrap-anywhere text-ink-2">
            <strong className="font-strong text-danger">{t('dialog.cannot')}</strong> {reason?.message} {reason?.hint}
            {tool.problem && <span className="mono ml-1.5 text-ink-3">{tool.problem.code}</span>}
          </p>
        )}
        {!(tool.change === 'changed' && before) && <Warnings tool={tool} />}
      </div>
    </li>
  )
})
