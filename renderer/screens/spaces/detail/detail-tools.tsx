import { Ban, ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { Button, FailureBanner, IconButton, Spinner, cx } from '../../../components/index.ts'
import { useInstalls } from '../../../stores/spaces.ts'
import { parameterNames, toolName } from '../preview-facts.ts'

import { useDetail } from './detail-store.ts'
import { TryForm } from './try-form.tsx'
import { useSecondsSince } from './use-seconds.ts'

import type { PreviewTool, ToolWarning } from '../../../../electron/contract/index.ts'
import type { Look } from './detail-store.ts'

const WARNINGS = {
  'gives-orders': 'orders',
  'names-other-tools': 'mentions',
  'invisible-characters': 'unseen',
  'very-long': 'long',
} as const satisfies Record<ToolWarning, string>

const MINUTE_S = 60

function Warnings({ warnings }: { warnings: readonly ToolWarning[] }) {
  const { t } = useTranslation('detail')
  return warnings.map((warning) => (
    <p key={warning} className="mt-1 flex gap-1.5 text-small text-warn">
      <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
      {t(`tools.${WARNINGS[warning]}`)}
    </p>
  ))
}

function Rejected({ tool }: { tool: PreviewTool }) {
  const { t } = useTranslation('detail')
  const reason = tool.problem ? failureText(t, tool.problem) : null
  return (
    <li className="flex gap-3 px-3 py-2.5 not-first:border-t not-first:border-line">
      <Ban aria-hidden="true" className="mt-px size-4.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="font-strong break-all text-ink-3 line-through">{toolName(tool)}</p>
        <p className="text-small wrap-anywhere text-ink-2">
          {t('tools.cannot')} {reason?.message} {reason?.hint}
          {tool.problem && <span className="mono ml-1.5 text-ink-3">{tool.problem.code}</span>}
        </p>
        <Warnings warnings={tool.warnings} />
      </div>
    </li>
  )
}

interface RowProps {
  slug: string
  tool: PreviewTool
  open: boolean
  onOpen: (open: boolean) => void
  previewId: string | undefined
  mcpUrl: string | undefined
}

function Usable({ tool, open, onOpen, ...rest }: RowProps) {
  const { t } = useTranslation('detail')
  const name = toolName(tool)
  const names = parameterNames(tool.parameters)
  return (
    <li className="flex gap-2 px-3 py-2.5 not-first:border-t not-first:border-line">
      <IconButton
        size="s"
        aria-expanded={open}
        label={t(open ? 'tools.hide' : 'tools.show', { name })}
        onClick={() => onOpen(!open)}
        className="-mt-0.5 -ml-1"
      >
        {open ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
      </IconButton>
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h3 className="font-strong break-all" title={tool.id ?? undefined}>
            {name}
          </h3>
          {!open && (
            <span className="mono min-w-0 truncate text-[0.6875rem] text-ink-3">
              {names.length > 0 ? (
                <>
                  <span aria-hidden="true">{names.join(', ')}</span>
                  <span className="sr-only">{t('tools.parameters', { names: names.join(', ') })}</span>
                </>
              ) : (
                t('tools.noParameters')
              )}
            </span>
          )}
        </div>
        <p className={cx('text-small wrap-anywhere whitespace-pre-line text-ink-2', !open && 'line-clamp-3')}>
          {tool.description || t('tools.noWords')}
        </p>
        <Warnings warnings={tool.warnings} />
        {open && <TryForm tool={tool} id={tool.id ?? tool.remoteName} {...rest} />}
      </div>
    </li>
  )
}

function Connecting({ slug, look, onCancel }: { slug: string; look: Look; onCancel: () => void }) {
  const { t } = useTranslation('detail')
  const step = useInstalls((state) =>
    state.installs[look.operationId]?.steps.find(({ state: now }) => now === 'running'),
  )
  const seconds = useSecondsSince(look.since)
  return (
    <div className="flex items-center gap-3 rounded-card border border-line px-4 py-3">
      <Spinner />
      <p role="status" aria-label={t('tools.connecting', { slug })} className="min-w-0 flex-1 text-ink-2">
        <span className="font-medium text-ink">
          {step ? t(`dialog.steps.${step.step}`, { ns: 'spaces' }) : t('tools.connecting', { slug })}
        </span>{' '}
        {step && <span className="text-small text-ink-3">{t(`dialog.waiting.${step.step}`, { ns: 'spaces' })}</span>}
      </p>
      <span aria-hidden="true" className="text-small text-ink-3">
        {seconds > 0 && `${seconds} s`}
      </span>
      <Button size="s" onClick={onCancel}>
        {t('cancel', { ns: 'common' })}
      </Button>
    </div>
  )
}

function Unknown({ slug, look, offline }: { slug: string; look: Look | null; offline: boolean }) {
  const { t } = useTranslation('detail')
  const { connect, disconnect } = useDetail.getState()
  if (look && !look.failure) return <Connecting slug={slug} look={look} onCancel={disconnect} />
  return (
    <div className="grid gap-3">
      {look?.failure && <FailureBanner failure={look.failure} />}
      <div className="grid justify-items-start gap-3 rounded-card border border-line px-4 py-4">
        <p className="text-ink-2">{t('tools.unknown')}</p>
        <Button disabled={offline} onClick={() => void connect()}>
          {t('tools.connect')}
        </Button>
        {offline && <p className="text-small text-ink-3">{t('tools.offline')}</p>}
      </div>
    </div>
  )
}

function State({ look }: { look: Look | null }) {
  const { t } = useTranslation('detail')
  const minutes = Math.floor(useSecondsSince(look?.since ?? 0) / MINUTE_S)
  if (!look) return <>{t('tools.installed')}</>
  return <>{minutes > 0 ? t('tools.connectedFor', { minutes }) : t('tools.connected')}</>
}

/** The tools of a Space, each usable one as a form; for a Space that is not installed, after connecting to it. */
export function DetailTools({ slug, installedUrl }: { slug: string; installedUrl: string | undefined }) {
  const { t } = useTranslation('detail')
  const { detail, look, openTool, setOpenTool } = useDetail()
  const installed = detail?.tools
  const tools = installed ?? look?.preview?.tools
  const usable = tools?.filter(({ status }) => status === 'usable').length ?? 0
  return (
    <section aria-label={t('tools.title')} className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 pb-2">
        <h2 className="font-strong">{tools ? t('tools.count', { count: tools.length, usable }) : t('tools.title')}</h2>
        {tools && (
          <span className="text-small text-ink-3">
            <State look={installed ? null : look} />
          </span>
        )}
      </div>
      <div className="scroll-quiet min-h-0 overflow-y-auto p-0.5 narrow:overflow-visible">
        {tools === undefined ? (
          detail && <Unknown slug={slug} look={look} offline={detail.from === 'cache'} />
        ) : tools.length === 0 ? (
          <p className="text-ink-2">{t('tools.none')}</p>
        ) : (
          <ul className="rounded-card border border-line bg-sheet">
            {tools.map((tool, index) => {
              // A server may list one name twice.
              const key = `${index} ${tool.remoteName}`
              if (tool.status !== 'usable') return <Rejected key={key} tool={tool} />
              return (
                <Usable
                  key={key}
                  slug={slug}
                  tool={tool}
                  open={openTool === key}
                  onOpen={(next) => setOpenTool(next ? key : null)}
                  previewId={installed ? undefined : look?.operationId}
                  mcpUrl={installed ? installedUrl : look?.preview?.mcpUrl}
                />
              )
            })}
          </ul>
        )}
      </div>
    </section>
  )
}
