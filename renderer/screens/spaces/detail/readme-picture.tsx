import { CircleSlash } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { Button } from '../../../components/index.ts'

import type { ErrorCode, ToolImage } from '../../../../electron/contract/index.ts'

type Loading =
  { state: 'not' | 'loading' } | { state: 'there'; image: ToolImage } | { state: 'failed'; code: ErrorCode }

const REASONS: Partial<Record<ErrorCode, 'notPicture' | 'refused' | 'tooLarge'>> = {
  'space/protocol': 'notPicture',
  'space/bad-origin': 'refused',
  'space/too-large': 'tooLarge',
}

/**
 * A picture of a README. Those of the Space's own repository load by themselves, all others when they are asked for: until
 * then nobody learns that the page was looked at.
 */
export function ReadmePicture({ slug, url, alt, own }: { slug: string; url: string; alt: string; own: boolean }) {
  const { t } = useTranslation('detail')
  const [loading, setLoading] = useState<Loading>({ state: 'not' })

  useEffect(() => {
    if (!own) return
    let gone = false
    setLoading({ state: 'loading' })
    void attempt('spaces.picture', { slug, url }).then((answer) => {
      if (gone) return
      setLoading(answer.ok ? { state: 'there', image: answer.value } : { state: 'failed', code: answer.error.code })
    })
    return () => {
      gone = true
    }
  }, [own, slug, url])

  const load = async (): Promise<void> => {
    setLoading({ state: 'loading' })
    const answer = await attempt('spaces.picture', { slug, url })
    setLoading(answer.ok ? { state: 'there', image: answer.value } : { state: 'failed', code: answer.error.code })
  }
  if (loading.state === 'there') {
    const { mimeType, data } = loading.image
    return (
      <img alt={alt} src={`data:${mimeType};base64,${data}`} className="my-2 inline-block max-w-full rounded-control" />
    )
  }
  const { host, pathname } = new URL(url)
  const failed = loading.state === 'failed' ? t(`readme.${REASONS[loading.code] ?? 'notLoaded'}`) : null
  return (
    <span className="my-2 flex items-center gap-3 rounded-control border border-dashed border-line-strong px-2.5 py-2 text-small">
      <CircleSlash aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <span className="grid min-w-0 flex-1">
        {alt && <span className="truncate text-ink">{alt}</span>}
        <span className="text-ink-2">
          {failed ??
            (loading.state === 'loading' ? t('readme.loading') : t(own ? 'readme.ownPicture' : 'readme.picture'))}
        </span>
        <span className="mono truncate text-[0.6875rem] text-ink-3" title={url}>
          {host}
          {pathname}
        </span>
      </span>
      <Button
        size="s"
        busy={loading.state === 'loading'}
        aria-label={t('readme.loadNamed', { host })}
        onClick={() => void load()}
      >
        {t('readme.load')}
      </Button>
    </span>
  )
}
