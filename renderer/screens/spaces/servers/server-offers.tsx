import { Globe, MonitorCog } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Banner } from '../../../components/index.ts'
import { useServers } from '../../../stores/servers.ts'
import { Offer } from '../install-offer.tsx'
import { hostOf, toolName } from '../preview-facts.ts'

import { useServerDialogs } from './server-store.ts'

import type { ServerPreview } from '../../../../electron/contract/index.ts'

const TRANSPORTS: Readonly<Record<ServerPreview['transport'], string>> = {
  'streamable-http': 'Streamable HTTP',
  sse: 'SSE',
  stdio: 'stdio',
}
/** From here on models choose worse among tools. */
const MANY_TOOLS = 25

/** What a server offers, before anything is written. */
export function ServerOffers({
  preview,
  chosen,
  disabled,
}: {
  preview: ServerPreview
  chosen: ReadonlySet<string>
  disabled: boolean
}) {
  const { t } = useTranslation('servers')
  const { choose } = useServerDialogs.getState()
  const installed = useServers((state) => state.snapshot?.servers.find(({ name }) => name === preview.name))
  const { target, removedTools } = preview
  const before = (id: string | null) => installed?.review?.tools.find((tool) => tool.id === id)?.before
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {preview.plainHttp && <Banner tone="warn">{t('card.plainHttpText')}</Banner>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-strong wrap-anywhere">
          {t('dialog.offers', {
            server: preview.serverName || preview.name,
            transport: TRANSPORTS[preview.transport],
          })}
        </h3>
        <span className="ml-auto text-small text-ink-3">{t('dialog.ownWords')}</span>
      </div>
      <ul className="rounded-card border border-line">
        {preview.tools.map((tool, index) => (
          <Offer
            // A server may list one name twice.
            key={`${index} ${tool.remoteName}`}
            tool={tool}
            checked={tool.id !== null && chosen.has(tool.id)}
            disabled={disabled}
            before={before(tool.id)}
            onChoose={choose}
          />
        ))}
      </ul>
      {chosen.size > MANY_TOOLS && <Banner tone="warn">{t('dialog.many', { ns: 'spaces', limit: MANY_TOOLS })}</Banner>}
      {removedTools.length > 0 && (
        <p className="text-small wrap-anywhere text-warn">
          {t('dialog.removed', {
            ns: 'spaces',
            names: removedTools.map((id) => toolName({ id, remoteName: id })).join(', '),
          })}
        </p>
      )}
      <p className="flex gap-2 text-small text-ink-2 [&_svg]:mt-px [&_svg]:size-3.75 [&_svg]:shrink-0 [&_svg]:text-ink-3">
        {target.kind === 'http' ? <Globe aria-hidden="true" /> : <MonitorCog aria-hidden="true" />}
        <span className="min-w-0 wrap-anywhere">
          {target.kind === 'http' ? t('dialog.leaves', { host: hostOf(target.url) }) : t('dialog.runsHere')}
        </span>
      </p>
    </div>
  )
}
