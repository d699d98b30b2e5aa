import { Info } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'

import { Skeleton } from '../../../components/index.ts'

import type { SpaceDetail } from '../../../../electron/contract/index.ts'

const ReadmeBody = lazy(async () => ({ default: (await import('./readme-body.tsx')).ReadmeBody }))

function LeftOut({ leftOut: { scripts, frames } }: { leftOut: { scripts: number; frames: number } }) {
  const { t } = useTranslation('detail')
  const parts = [
    ...(scripts > 0 ? [t('readme.scripts', { count: scripts })] : []),
    ...(frames > 0 ? [t('readme.frames', { count: frames })] : []),
  ]
  return (
    <p className="flex gap-1.5 pt-2 text-small text-ink-3">
      <Info aria-hidden="true" className="mt-px size-4 shrink-0" />
      <span>
        {parts.length > 0 && t('readme.leftOut', { parts: parts.join(', ') })} {t('readme.links')}
      </span>
    </p>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className="grid gap-3">
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-11/12" />
      <Skeleton className="h-3 w-3/5" />
    </div>
  )
}

/** What a Space says of itself. */
export function Readme({ slug, detail }: { slug: string; detail: SpaceDetail | null }) {
  const { t } = useTranslation('detail')
  const readme = detail?.readme
  return (
    <section aria-label={t('readme.title')} className="flex min-h-0 flex-col">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 pb-2">
        <h2 className="font-strong">{t('readme.title')}</h2>
        <span className="text-small text-ink-3">{t('readme.own')}</span>
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-label={t('readme.title')}
        className="scroll-quiet min-h-0 flex-1 overflow-y-auto rounded-card border border-line p-4 text-body wrap-anywhere select-text narrow:overflow-visible"
      >
        {readme ? (
          <Suspense fallback={<Waiting />}>
            <ReadmeBody slug={slug} markdown={readme.markdown} own={readme.own} />
          </Suspense>
        ) : detail === null ? (
          <Waiting />
        ) : (
          <p className="text-ink-2">{detail.failure ? t('readme.unread') : t('readme.none')}</p>
        )}
      </div>
      {readme && <LeftOut leftOut={readme.leftOut} />}
    </section>
  )
}
