import { RotateCw, WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { momentWords } from '../../app/when.ts'
import { Banner, Button } from '../../components/index.ts'
import { useSpaces } from '../../stores/spaces.ts'

import { useCatalogue } from './catalogue-store.ts'
import { useNow } from './use-now.ts'

const SECOND_MS = 1000

/**
 * Seconds until the Hub is asked again after it limited the requests; `null` when it did not. Asks by itself, once, and
 * only while the list is looked at.
 */
function useOpening(): number | null {
  const opensAt = useCatalogue((state) => state.opensAt)
  const now = useNow(opensAt !== null, SECOND_MS / 4)
  const left = opensAt === null ? null : Math.max(0, Math.ceil((opensAt - now) / SECOND_MS))
  useEffect(() => {
    if (left === 0) useCatalogue.getState().again()
  }, [left])
  return left
}

/** Asks again when the system says that the network is back. */
function useNetworkReturn(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const ask = (): void => useCatalogue.getState().again()
    window.addEventListener('online', ask)
    return () => window.removeEventListener('online', ask)
  }, [active])
}

/** Why the list is not the Hub's present one; nothing when it is. */
export function CatalogueNotice() {
  const { t, i18n } = useTranslation('spaces')
  const { result, failure, searching, again } = useCatalogue()
  const installed = useSpaces((state) => state.snapshot?.spaces.length ?? 0)
  const seconds = useOpening()
  const reason = failure ?? (result?.from === 'cache' ? result.failure : undefined)
  const hidden = !reason && result?.from !== 'cache'
  const offline = reason === undefined || reason.code === 'hub/offline'
  useNetworkReturn(!hidden && offline)
  if (hidden) return null

  const text = reason
    ? failureText(t, seconds === null ? reason : { ...reason, details: { ...reason.details, seconds } })
    : null
  const shown = result?.results.length
    ? result.cachedAt === undefined
      ? t('offline.older')
      : t('offline.cached', { when: momentWords(i18n.language, result.cachedAt) })
    : installed > 0
      ? t('offline.installed')
      : t('offline.nothing')
  return (
    <Banner
      tone={offline || result ? 'fact' : 'danger'}
      title={offline ? t('offline.title') : text?.message}
      icon={offline ? WifiOff : undefined}
      className="mb-4"
      action={
        <Button size="s" icon={<RotateCw aria-hidden="true" />} busy={searching} onClick={again}>
          {t('retry', { ns: 'common' })}
        </Button>
      }
    >
      {offline || seconds !== null ? '' : text?.hint} {seconds !== null && t('offline.asksAgain', { seconds })} {shown}{' '}
      {offline && t('offline.rest')}
      {reason && <span className="mono ml-1.5 text-ink-3">{reason.code}</span>}
    </Banner>
  )
}
