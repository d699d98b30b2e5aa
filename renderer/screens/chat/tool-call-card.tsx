import { ChevronDown, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { cx, IconButton, ProgressBar, ResultFile, SourceGlyph, ToolId } from '../../components/index.ts'

import { ApprovalCard } from './approval-card.tsx'
import { CallState } from './call-state.tsx'
import { argumentRows, firstLine } from './describe-call.ts'
import { isOpen } from './group-parts.ts'

import type { ToolCall } from '../../../electron/contract/index.ts'

/** What comes after `alias__`. */
function shortName(id: string): string {
  return id.split('__').at(-1) || id
}

function Pictures({ call }: { call: ToolCall }) {
  const { t } = useTranslation('chat')
  return call.images.map((image, index) => (
    <img
      key={index}
      alt={t('pictureFrom', { id: call.toolId })}
      src={`data:${image.mimeType};base64,${image.data}`}
      className="block max-h-96 max-w-full border-t border-line bg-sunken object-contain"
    />
  ))
}

function Files({ call }: { call: ToolCall }) {
  if (call.files === undefined || call.files.length === 0) return null
  return (
    <div className="grid gap-3 border-t border-line px-3 py-2.5">
      {call.files.map((file, index) => (
        <ResultFile key={`${index} ${file.name}`} id={call.toolId} file={file} />
      ))}
    </div>
  )
}

/** What a person should know of a stranger's answer. */
function Warnings({ call }: { call: ToolCall }) {
  const { t } = useTranslation('trust')
  return (call.warnings ?? []).map((warning) => (
    <p key={warning} className="flex gap-1.5 border-t border-line px-3 py-2 text-small text-warn">
      <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
      {t(`warning.${warning}`)}
    </p>
  ))
}

function ResultText({ text, failed }: { text: string; failed: boolean }) {
  const { t } = useTranslation('chat')
  const [whole, setWhole] = useState(false)
  const long = text.length > 360 || text.split('\n').length > 6
  return (
    <div className="border-t border-line px-3 py-2.5">
      <p
        className={cx(
          'text-small wrap-anywhere whitespace-pre-wrap',
          failed ? 'text-danger' : 'text-ink-2',
          long && !whole && 'line-clamp-6',
        )}
      >
        {text}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1 text-small text-accent-ink underline underline-offset-2"
        >
          {whole ? t('showLess') : t('showAll')}
        </button>
      )}
    </div>
  )
}

function Details({ call }: { call: ToolCall }) {
  const { t } = useTranslation('chat')
  const rows = argumentRows(call.arguments)
  const failure = call.failure ? failureText(t, call.failure) : null
  return (
    <>
      {rows.length > 0 && (
        <dl aria-label={t('arguments')} className="grid gap-1 px-3 pb-3 text-small">
          {rows.map(({ name, value }) => (
            <div key={name} className="grid grid-cols-[minmax(4rem,5.5rem)_1fr] gap-2">
              <dt className="mono truncate text-ink-3" title={name}>
                {name}
              </dt>
              <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen(call) && call.progress && (
        <div className="grid gap-1.5 px-3 pb-3">
          {call.progress.fraction !== undefined && <ProgressBar fraction={call.progress.fraction} />}
          {call.progress.message !== undefined && <p className="text-small text-ink-3">{call.progress.message}</p>}
        </div>
      )}
      {failure && (
        <div className="border-t border-line px-3 py-2.5 text-small text-ink-2">
          <p>
            <strong className="font-strong text-ink">{failure.message}</strong> {failure.hint}{' '}
            <span className="mono text-ink-3">{call.failure?.code}</span>
          </p>
        </div>
      )}
      {call.resultText !== undefined && call.resultText !== '' && !failure && (
        <ResultText text={call.resultText} failed={call.state === 'failed'} />
      )}
      <Warnings call={call} />
      <Pictures call={call} />
      <Files call={call} />
    </>
  )
}

/** One call of a tool: what it is, how it stands, what was given and what came back. Old ones are one row. */
export function ToolCallCard({ call, collapsible }: { call: ToolCall; collapsible: boolean }) {
  const { t } = useTranslation('chat')
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = chosen ?? (!collapsible || call.state === 'failed' || isOpen(call))
  const name = shortName(call.toolId)
  return (
    <section
      role="group"
      aria-label={t('toolCall', { id: call.toolId })}
      className={cx(
        'min-w-0 overflow-hidden rounded-card border bg-raised shadow-raised',
        call.approval ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <header className="flex min-h-11 items-center gap-3 px-3 py-2">
        {call.source && <SourceGlyph source={call.source} size={open ? 'm' : 's'} />}
        <div className="grid min-w-0 flex-1">
          <span className="flex min-w-0 items-baseline gap-2">
            <h3 className="shrink-0 truncate font-strong">{name}</h3>
            {!open && (
              <span className="min-w-0 truncate text-small text-ink-2">{firstLine(call.resultText ?? '')}</span>
            )}
          </span>
          {open && name !== call.toolId && <ToolId id={call.toolId} />}
        </div>
        <CallState call={call} />
        {(collapsible || chosen !== null) && (
          <IconButton
            size="s"
            label={open ? t('hideDetails') : t('showDetails')}
            aria-expanded={open}
            onClick={() => setChosen(!open)}
          >
            <ChevronDown className={cx('transition-transform duration-quick', open && 'rotate-180')} />
          </IconButton>
        )}
      </header>
      {call.approval ? <ApprovalCard call={call} name={name} /> : open && <Details call={call} />}
    </section>
  )
}
