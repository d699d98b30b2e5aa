import { useTranslation } from 'react-i18next'

import { momentWords } from '../../app/when.ts'
import { Banner, Button, FailureBanner } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'

import type { Draft } from './drafts.ts'
import type { ReactNode } from 'react'

function Acknowledge({ name }: { name: string }) {
  const { t } = useTranslation('editor')
  return (
    <Button size="s" onClick={() => useDrafts.getState().acknowledge(name)}>
      {t('outside.understood')}
    </Button>
  )
}

/** What is to be known about the unsaved profile as a whole, and what can be done. */
export function ProfileNotices({ draft }: { draft: Draft }) {
  const { t, i18n } = useTranslation('editor')
  const { name, broken } = draft.document
  const list = new Intl.ListFormat(i18n.language)
  const files = list.format(draft.merged)
  const { bringBack, discard } = useDrafts.getState()
  const shown: ReactNode[] = [
    draft.gone && (
      <Banner
        key="gone"
        tone="danger"
        title={t('outside.gone', { name })}
        action={
          <Button size="s" onClick={() => void bringBack(name)}>
            {t('outside.bringBack')}
          </Button>
        }
      >
        {t('outside.goneText')} <span className="mono text-ink-3">profile/not-found</span>
      </Banner>
    ),
    draft.recoveredAt !== null && (
      <Banner
        key="recovered"
        title={t('outside.recovered', { when: momentWords(i18n.language, draft.recoveredAt) })}
        action={
          <span className="flex gap-2">
            <Button size="s" onClick={() => discard(name)}>
              {t('outside.discard')}
            </Button>
            <Acknowledge name={name} />
          </span>
        }
      >
        {t('outside.recoveredText')}
      </Banner>
    ),
    draft.merged.length > 0 && (
      <Banner key="merged" title={t('outside.merged', { files })} action={<Acknowledge name={name} />} />
    ),
    broken.length > 0 && (
      <Banner key="broken" tone="warn" title={t('outside.broken', { files: list.format(broken.map(({ file }) => file)) })}>
        {t('outside.brokenText')} <span className="mono text-ink-3">{broken[0]?.problem.code}</span>
      </Banner>
    ),
    draft.failure && <FailureBanner key="draft" failure={draft.failure} />,
  ].filter(Boolean)
  return shown.length > 0 ? <div className="grid shrink-0 gap-2 px-5 pb-3 narrow:px-4">{shown}</div> : null
}
