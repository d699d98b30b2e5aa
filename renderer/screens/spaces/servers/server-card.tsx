import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Badge, Button, Card, FailureBanner, ToolId } from '../../../components/index.ts'
import { useServers } from '../../../stores/servers.ts'
import { toolName } from '../preview-facts.ts'

import { LastWords } from './last-words.tsx'
import { placeOf } from './server-fields.ts'
import { ServerReview } from './server-review.tsx'
import { tellServerUndoable, useServerDialogs } from './server-store.ts'

import type { Failure, InstalledServer, RemoteTool } from '../../../../electron/contract/index.ts'

function ToolRow({ tool }: { tool: RemoteTool }) {
  const { t } = useTranslation('servers')
  const reason = tool.problem ? failureText(t, tool.problem) : null
  return (
    <li className="grid gap-0.5 py-2 not-first:border-t not-first:border-line">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <span
          className={
            tool.status === 'usable' ? 'font-medium break-all' : 'font-medium break-all text-ink-3 line-through'
          }
        >
          {toolName(tool)}
        </span>
        {tool.id !== null && <ToolId id={tool.id} className="text-[0.6875rem]" />}
      </p>
      <p className="line-clamp-2 text-small wrap-anywhere text-ink-2">{tool.description || t('card.noWords')}</p>
      {reason && (
        <p className="text-small wrap-anywhere text-warn">
          {reason.message} {reason.hint}
        </p>
      )}
    </li>
  )
}

function Marks({ server }: { server: InstalledServer }) {
  const { t } = useTranslation('servers')
  const { target } = server
  return (
    <>
      {target.kind === 'stdio' && <Badge tone="warn">{t('card.program')}</Badge>}
      {server.plainHttp && <Badge tone="warn">{t('card.plainHttp')}</Badge>}
      {server.hasToken && <Badge>{t('card.token')}</Badge>}
      {target.kind === 'http' && target.tokenEnv !== undefined && (
        <Badge>{t('card.tokenEnv', { variable: target.tokenEnv })}</Badge>
      )}
    </>
  )
}

function CheckState({ check }: { check: InstalledServer['check'] }) {
  const { t } = useTranslation('servers')
  if (!check) return null
  if (check.failure) {
    return (
      <div className="mt-3 grid gap-2">
        <FailureBanner tone="warn" failure={check.failure} />
        <LastWords failure={check.failure} />
      </div>
    )
  }
  return (
    <p role="status" className="mt-1 text-small text-ink-3">
      {check.state === 'checking' ? t('card.checking') : t('card.checked')}
    </p>
  )
}

function Buttons({
  server,
  locked,
  onFailure,
}: {
  server: InstalledServer
  locked: boolean
  onFailure: (failure: Failure | null) => void
}) {
  const { t } = useTranslation('servers')
  const [busy, setBusy] = useState<'check' | 'remove' | null>(null)
  const { name } = server

  const check = async (): Promise<void> => {
    setBusy('check')
    onFailure(null)
    const answer = await attempt('servers.refresh', { operationId: crypto.randomUUID(), name })
    setBusy(null)
    if (answer.ok) useServers.getState().accept(answer.value)
    else onFailure(answer.error)
  }
  const remove = async (): Promise<void> => {
    setBusy('remove')
    onFailure(null)
    const answer = await attempt('servers.remove', { name })
    setBusy(null)
    if (!answer.ok) return onFailure(answer.error)
    const { disabled, undoId } = answer.value
    const count = Object.values(disabled).reduce((sum, ids) => sum + ids.length, 0)
    tellServerUndoable(count > 0 ? t('done.disabled', { name, count }) : t('done.removed', { name }), undoId)
  }
  const confirm = (): void =>
    useServerDialogs.getState().open({ name, target: server.target }, { confirm: true, fixed: true })

  return (
    <div className="ml-auto flex shrink-0 flex-wrap justify-end gap-2">
      {server.problem?.code === 'server/changed-outside' ? (
        <Button size="s" disabled={locked} onClick={confirm}>
          {t('card.confirm')}
        </Button>
      ) : (
        <Button
          size="s"
          icon={<RotateCw aria-hidden="true" />}
          aria-label={t('card.checkNamed', { name })}
          busy={busy === 'check'}
          disabled={locked || server.problem !== undefined}
          onClick={() => void check()}
        >
          {t('card.check')}
        </Button>
      )}
      <Button
        size="s"
        variant="quiet"
        icon={<Trash2 aria-hidden="true" />}
        aria-label={t('card.removeNamed', { name })}
        busy={busy === 'remove'}
        disabled={locked}
        onClick={() => void remove()}
      >
        {t('card.remove')}
      </Button>
    </div>
  )
}

/** One server with its tools, what changed at it, and what can be done with it. */
export function ServerCard({ server, locked }: { server: InstalledServer; locked: boolean }) {
  const { t } = useTranslation('servers')
  const [failure, setFailure] = useState<Failure | null>(null)
  const { name, target, problem, review } = server
  return (
    <article aria-label={name}>
      <Card className="p-4">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-48 flex-1">
            <h2 className="flex flex-wrap items-center gap-2 font-strong break-all">
              {name} <Marks server={server} />
            </h2>
            <p className="mono break-all text-ink-3">{placeOf(target)}</p>
          </div>
          <Buttons server={server} locked={locked} onFailure={setFailure} />
        </div>
        {server.plainHttp && <p className="mt-1 text-small text-warn">{t('card.plainHttpText')}</p>}
        {target.kind === 'stdio' && <p className="mt-1 text-small text-ink-2">{t('card.asks')}</p>}
        {failure && <FailureBanner failure={failure} className="mt-3" />}
        {problem && <FailureBanner tone="warn" failure={problem} className="mt-3" />}
        {!review && <CheckState check={server.check} />}
        {review && <ServerReview name={name} review={review} locked={locked} />}
        {server.tools.length > 0 ? (
          <ul className="mt-2">
            {server.tools.map((tool, index) => (
              // A server may list one name twice.
              <ToolRow key={`${index} ${tool.remoteName}`} tool={tool} />
            ))}
          </ul>
        ) : (
          <p className="mt-2 text-ink-2">{t('card.noTools')}</p>
        )}
      </Card>
    </article>
  )
}
