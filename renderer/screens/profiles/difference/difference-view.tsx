import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { diffLines } from '../../../components/diff/diff-lines.ts'
import { DiffView } from '../../../components/diff/diff-view.tsx'
import { Banner, Button } from '../../../components/index.ts'
import { useDrafts } from '../draft-store.ts'
import { savedText, shownText } from '../drafts.ts'

import { differenceOf } from './difference.ts'

import type { ProfileFile } from '../../../../electron/contract/index.ts'
import type { Draft } from '../drafts.ts'

function FileDifference({ draft, file }: { draft: Draft; file: ProfileFile }) {
  const { t } = useTranslation('editor')
  const theirs = savedText(draft, file)
  const mine = shownText(draft, file)
  const { before, after, count } = useMemo(() => differenceOf(theirs, mine), [theirs, mine])
  const lines = useMemo(() => diffLines(before, after), [before, after])
  const { name } = draft.document
  const { keepMine, takeTheirs } = useDrafts.getState()
  const removed = draft.document.texts[file] === null
  const note = removed ? t('outside.noFile') : draft.texts[file] === null ? t('outside.noFileMine') : null
  return (
    <DiffView
      title={file}
      prose={file !== 'tools.txt'}
      lines={lines}
      summary={
        <>
          {note} {count > 0 ? t('outside.lines', { count }) : t('outside.ends')} <span>{t('outside.legend')}</span>
        </>
      }
      foot={
        <>
          <Button
            size="s"
            aria-label={t('outside.of', { action: t('outside.keepMine'), file })}
            onClick={() => keepMine(name, file)}
          >
            {t('outside.keepMine')}
          </Button>
          <Button
            size="s"
            aria-label={t('outside.of', { action: t('outside.takeTheirs'), file })}
            onClick={() => takeTheirs(name, file)}
          >
            {t('outside.takeTheirs')}
          </Button>
        </>
      }
    />
  )
}

/** Files whose unsaved text and text on disk cannot both be kept, line by line, with the choice. */
export function DifferenceView({ draft }: { draft: Draft }) {
  const { t } = useTranslation('editor')
  if (!draft.conflict) return null
  return (
    <section aria-label={t('outside.title')} className="grid gap-2">
      <Banner tone="warn" title={`${t('outside.title')}.`}>
        {t('outside.text')} <span className="mono text-ink-3">profile/changed-outside</span>
      </Banner>
      {draft.conflict.files.map((file) => (
        <FileDifference key={file} draft={draft} file={file} />
      ))}
    </section>
  )
}
