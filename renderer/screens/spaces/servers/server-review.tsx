import { Hand } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { Badge, Button, FailureBanner } from '../../../components/index.ts'
import { useServers } from '../../../stores/servers.ts'
import { toolName } from '../preview-facts.ts'
import { ToolDifference } from '../review/tool-difference.tsx'
import { listOf } from '../tell-done.ts'

import type { Failure, InstalledServer, ReviewTool } from '../../../../electron/contract/index.ts'

interface OneProps {
  tool: ReviewTool
  busy: boolean
  onDecide: (answer: 'approve' | 'keepOff', id: string) => void
}

function One({ tool, busy, onDecide }: OneProps) {
  const { t } = useTranslation('servers')
  const { id, kind } = tool
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-3 not-first:border-t not-first:border-line">
      <p className="flex flex-wrap items-center gap-2 font-strong break-all">
        {toolName(tool)} <Badge tone={kind === 'changed' ? 'warn' : 'neutral'}>{t(`review.${kind}`)}</Badge>
        {tool.enabledIn.length > 0 && (
          <span className="text-small font-normal text-ink-3">
            {t('review.enabledIn', { profiles: listOf(tool.enabledIn) })}
          </span>
        )}
      </p>
      {kind !== 'gone' && (
        <ToolDifference before={tool.before} after={tool.after} warnings={tool.warnings} otherTools={tool.otherTools} />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {kind === 'gone' ? (
          <Button
            size="s"
            disabled={busy}
            aria-label={t('review.seenNamed', { id })}
            onClick={() => onDecide('keepOff', id)}
          >
            {t('review.seen')}
          </Button>
        ) : (
          <>
            <Button
              size="s"
              disabled={busy}
              aria-label={t('review.keepOffNamed', { id })}
              onClick={() => onDecide('keepOff', id)}
            >
              {t('review.keepOff')}
            </Button>
            <Button
              size="s"
              variant="primary"
              disabled={busy}
              aria-label={t('review.approveNamed', { id })}
              onClick={() => onDecide('approve', id)}
            >
              {t('review.approve')}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

/** What a server offers otherwise than it was approved, tool by tool, with both texts. */
export function ServerReview({
  name,
  review,
  locked,
}: {
  name: string
  review: NonNullable<InstalledServer['review']>
  locked: boolean
}) {
  const { t } = useTranslation('servers')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const decide = async (answer: 'approve' | 'keepOff', id: string): Promise<void> => {
    setBusy(true)
    setFailure(null)
    const decision = { approve: answer === 'approve' ? [id] : [], keepOff: answer === 'keepOff' ? [id] : [] }
    const result = await attempt('servers.decide', { name, ...decision })
    setBusy(false)
    if (result.ok) useServers.getState().accept(result.value)
    else setFailure(result.error)
  }
  return (
    <section aria-label={t('review.title', { name })} className="mt-3 rounded-card border border-line px-4 pt-3">
      <div className="flex gap-2">
        <Hand aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
        <div className="min-w-0">
          <h3 className="font-strong wrap-anywhere">{t('review.title', { name })}</h3>
          <p className="text-small text-ink-2">{t('review.text')}</p>
        </div>
      </div>
      {failure && <FailureBanner failure={failure} className="mt-2" />}
      <ul>
        {review.tools.map((tool) => (
          <One key={tool.id} tool={tool} busy={busy || locked} onDecide={(answer, id) => void decide(answer, id)} />
        ))}
      </ul>
    </section>
  )
}
