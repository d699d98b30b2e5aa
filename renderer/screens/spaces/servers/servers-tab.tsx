import { FileInput, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { Banner, Button, EmptyState, FailureBanner, Skeleton } from '../../../components/index.ts'
import { useFollowedServers, useServers } from '../../../stores/servers.ts'

import { AddServerDialog } from './add-dialog.tsx'
import { ImportServersDialog } from './import-dialog.tsx'
import { ServerCard } from './server-card.tsx'
import { useServerDialogs } from './server-store.ts'

import type { ServersSnapshot } from '../../../../electron/contract/index.ts'

function Problems({ snapshot }: { snapshot: ServersSnapshot }) {
  const { t } = useTranslation('servers')
  const { problems, path, readOnly } = snapshot
  return (
    <>
      {readOnly && (
        <Banner tone="danger" title={t('readOnly')}>
          {t('readOnlyText', { path })}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner tone="warn" title={`${t('problems', { count: problems.length })}.`}>
          <ul className="mt-1 grid gap-1">
            {problems.map(({ entry, problem }, index) => {
              const { message, hint } = failureText(t, problem)
              return (
                <li key={`${index} ${entry}`} className="wrap-anywhere">
                  <span className="mono text-ink">{entry}</span> {message} {hint}
                  <span className="mono ml-1.5 text-ink-3">{problem.code}</span>
                </li>
              )
            })}
          </ul>
        </Banner>
      )}
    </>
  )
}

function Actions({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('servers')
  const { open, openImport } = useServerDialogs.getState()
  return (
    <>
      <Button icon={<FileInput aria-hidden="true" />} disabled={disabled} onClick={openImport}>
        {t('import')}
      </Button>
      <Button variant="primary" icon={<Plus aria-hidden="true" />} disabled={disabled} onClick={() => open()}>
        {t('add')}
      </Button>
    </>
  )
}

/** MCP servers beside Spaces: the list, and what adds to it. */
export function ServersTab() {
  const { t } = useTranslation('servers')
  useFollowedServers()
  const { snapshot, failure, load } = useServers()
  if (!snapshot) {
    if (!failure) return <Skeleton className="h-32" />
    return (
      <FailureBanner
        failure={failure}
        action={
          <Button size="s" onClick={() => void load()}>
            {t('retry', { ns: 'common' })}
          </Button>
        }
      />
    )
  }
  const { servers, readOnly, path } = snapshot
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Problems snapshot={snapshot} />
      {servers.length > 0 ? (
        <>
          <div className="flex max-w-[52rem] flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-48 flex-1 text-pretty text-ink-2">{t('intro')}</p>
            <div className="flex flex-wrap gap-2">
              <Actions disabled={readOnly} />
            </div>
          </div>
          <ul aria-label={t('list')} className="grid max-w-[52rem] gap-4">
            {servers.map((server) => (
              <li key={server.name}>
                <ServerCard server={server} locked={readOnly} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <EmptyState title={t('empty.title')} actions={<Actions disabled={readOnly} />}>
          {t('intro')} {t('empty.text')}
        </EmptyState>
      )}
      <p className="text-small break-all text-ink-3">{t('file', { path })}</p>
      <AddServerDialog />
      <ImportServersDialog />
    </div>
  )
}
