import { useTranslation } from 'react-i18next'

import { Banner, Skeleton } from '../../../components/index.ts'
import { SeenText } from '../../spaces/seen-text.tsx'

import { isCut } from './file-facts.ts'

/** The text of a program as it is, what cannot be seen of it by its codes. It is read here, never run. */
export function FileText({ name, text }: { name: string; text: string | null }) {
  const { t } = useTranslation('local')
  if (text === null) return <Skeleton className="h-56" />
  return (
    <>
      <pre
        role="region"
        aria-label={t('allow.textOf', { name })}
        tabIndex={0}
        className="mono scroll-quiet max-h-64 min-h-20 overflow-auto rounded-control border border-line bg-sunken p-3 leading-(--text-code--line-height) whitespace-pre text-ink outline-offset-1"
      >
        <SeenText text={text} />
      </pre>
      {isCut(text) && <Banner tone="warn" title={t('allow.cut')} />}
    </>
  )
}
