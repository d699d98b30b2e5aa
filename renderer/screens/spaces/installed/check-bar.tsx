import { Download, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Banner, Button, FailureBanner, ProgressBar } from '../../../components/index.ts'

import { checkCounts, useCheck } from './check-store.ts'

import type { SpacesSnapshot } from '../../../../electron/contract/index.ts'

/** What the last look has found, in a sentence each. */
function CheckResult() {
  const { t } = useTranslation('keep')
  const { result, failure } = useCheck()
  if (failure) return <FailureBanner failure={failure} />
  if (!result || result.spaces.length === 0) return null
  const { asBefore, differ, failed } = checkCounts(result)
  const texts = [
    asBefore > 0 ? t('installed.asBefore', { count: asBefore }) : '',
    differ > 0 ? t('installed.differ', { count: differ }) : '',
    failed > 0 ? t('installed.unreachable', { count: failed }) : '',
  ].filter((text) => text !== '')
  return <Banner tone={differ + failed > 0 ? 'warn' : 'fact'}>{texts.join(' ')}</Banner>
}

export interface CheckBarProps {
  snapshot: SpacesSnapshot
  onImport: () => void
}

/** Looks for changes of all Spaces, with progress and a way to stop; takes over from the robot's own app. */
export function CheckBar({ snapshot, onImport }: CheckBarProps) {
  const { t } = useTranslation('keep')
  const { operationId, slug, startedAt, check, stop } = useCheck()
  const { spaces, readOnly } = snapshot
  const all = operationId !== null && slug === null
  const done = spaces.filter((one) => one.check && one.check.state !== 'checking' && one.check.at >= startedAt).length
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {operationId === null ? (
          <Button
            icon={<RotateCw aria-hidden="true" />}
            disabled={readOnly || spaces.length === 0}
            onClick={() => void check(null)}
          >
            {t('installed.checkAll')}
          </Button>
        ) : (
          <Button onClick={stop}>{t('installed.stopChecking')}</Button>
        )}
        <div role="status" className="min-w-0 flex-1">
          {all && (
            <div className="grid max-w-72 gap-1 text-small text-ink-2">
              {t('installed.checking', { done, count: spaces.length })}
              <ProgressBar fraction={spaces.length === 0 ? 0 : done / spaces.length} />
            </div>
          )}
        </div>
        <Button variant="quiet" icon={<Download aria-hidden="true" />} disabled={snapshot.readOnly} onClick={onImport}>
          {t('installed.import')}
        </Button>
      </div>
      {operationId === null && <CheckResult />}
    </div>
  )
}
