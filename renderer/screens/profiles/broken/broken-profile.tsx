import { Check, ChevronRight, FilePlus, FileText, History, Package, Pencil, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { formatNumber } from '../../../app/format.ts'
import { momentWords } from '../../../app/when.ts'
import { Badge, Banner, Button, FailureBanner } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { useDrafts } from '../draft-store.ts'
import { openFolder } from '../profile-actions.ts'

import type { BrokenFile, Failure, ProfileDocument, ProfilesSnapshot, Repair } from '../../../../electron/contract/index.ts'
import type { ReactNode } from 'react'

const ICONS: Record<Repair['kind'], ReactNode> = {
  'windows-1252': <Pencil />,
  backup: <History />,
  shipped: <Package />,
  'set-aside': <FilePlus />,
}

function Excerpt({ file }: { file: BrokenFile }) {
  const { t } = useTranslation('profiles')
  if (file.excerpt.length === 0) return null
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="flex min-h-9 items-center gap-1.5 border-b border-line bg-raised pr-3 pl-2.5">
        <FileText aria-hidden="true" className="size-3.75 shrink-0" strokeWidth={1.8} />
        <span className="mono flex-1 font-strong text-ink">{file.file}</span>
        <span className="text-small text-ink-2">{t('repair.at', { line: file.line ?? 1 })}</span>
      </figcaption>
      <div className="overflow-x-auto py-2" tabIndex={0} role="group" aria-label={t('repair.excerpt')}>
        {file.excerpt.map(({ line, before, bad, after }) => (
          <p key={line} className={`mono flex min-w-max gap-2 pr-4 ${bad === undefined ? '' : 'bg-danger-soft'}`}>
            <span className="flex w-11 shrink-0 items-center justify-end gap-1 text-ink-3">
              {bad !== undefined && <TriangleAlert aria-hidden="true" className="size-3.5 text-danger" />}
              {line}
            </span>
            <span className="whitespace-pre text-ink-2">
              {before}
              {bad !== undefined && <span className="rounded-tick bg-danger px-1 text-raised">{bad}</span>}
              {after}
            </span>
          </p>
        ))}
      </div>
    </figure>
  )
}

interface Way {
  readonly key: string
  readonly icon: ReactNode
  readonly title: string
  readonly note: string
  readonly run: () => void
}

function useWays(file: BrokenFile, run: (kind: Repair['kind']) => void): Way[] {
  const { t, i18n } = useTranslation('profiles')
  return file.repairs.map((repair): Way => {
    const way = { key: repair.kind, icon: ICONS[repair.kind], run: () => run(repair.kind) }
    switch (repair.kind) {
      case 'windows-1252':
        return {
          ...way,
          title: t('repair.windows-1252'),
          note: t('repair.windows-1252-note', { line: file.line ?? 1, text: repair.line.trim().slice(0, 120) }),
        }
      case 'backup':
        return {
          ...way,
          title: t('repair.backup', { when: momentWords(i18n.language, repair.savedAt) }),
          note: t('repair.backup-note', { count: repair.characters }),
        }
      case 'shipped':
        return { ...way, title: t('repair.shipped'), note: t('repair.shipped-note', { count: repair.characters }) }
      case 'set-aside':
        return { ...way, title: t('repair.set-aside'), note: t('repair.set-aside-note') }
    }
  })
}

function BrokenPart({ name, file, active }: { name: string; file: BrokenFile; active: string }) {
  const { t, i18n } = useTranslation('profiles')
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const repair = async (kind: Repair['kind']): Promise<void> => {
    if (busy !== null) return
    setBusy(kind)
    const answer = await attempt('profiles.repair', { name, file: file.file, repair: kind })
    setBusy(null)
    setFailure(answer.ok ? null : answer.error)
    if (!answer.ok) return
    useDrafts.getState().adopt(answer.value)
    useToasts.getState().show({ text: t('repair.done', { file: file.file, name }) })
  }
  const keep: Way = {
    key: 'keep',
    icon: <Check />,
    title: t('repair.keep', { active }),
    note: t('repair.keepNote'),
    run: () => useDrafts.getState().select(active),
  }
  const ways = [...useWays(file, (kind) => void repair(kind)), ...(active === name ? [] : [keep])]
  const { message, hint } = failureText(t, file.problem)
  const { position } = file.problem.details ?? {}
  return (
    <section aria-label={file.file} className="grid max-w-152 content-start gap-4">
      <div>
        <Badge tone="danger" icon={<TriangleAlert aria-hidden="true" />}>
          {file.problem.code}
        </Badge>
        <h3 className="mt-3 text-title font-strong tracking-title wrap-anywhere">
          {t('repair.fileTitle', { file: file.file })}
        </h3>
        <p className="mt-2 text-body text-pretty text-ink-2">
          {typeof position === 'number'
            ? t('repair.notText', { position: formatNumber(i18n.language, position) })
            : [message, hint].filter(Boolean).join(' ')}{' '}
          {active !== name && t('repair.startedWith', { active })}
        </p>
      </div>
      <Excerpt file={file} />
      {failure && <FailureBanner failure={failure} />}
      <ul aria-label={t('repair.label')} className="grid gap-2">
        {ways.map(({ key, icon, title, note, run }) => (
          <li key={key}>
            <button
              type="button"
              aria-busy={busy === key || undefined}
              onClick={run}
              className="flex w-full items-center gap-3.5 rounded-card border border-line-strong bg-raised px-4 py-2.5 text-left hover:bg-hover [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-ink-2"
            >
              {icon}
              <span className="min-w-0 flex-1">
                <span className="block font-strong wrap-anywhere">{title}</span>
                <span className="block text-small text-ink-2 wrap-anywhere">{note}</span>
              </span>
              <ChevronRight aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A profile with files that are no text: what is wrong, where, and what can be done. Nothing is changed before. */
export function BrokenProfile({ document, snapshot }: { document: ProfileDocument; snapshot: ProfilesSnapshot }) {
  const { t } = useTranslation('profiles')
  const { name, source, edited, broken } = document
  const { active, wanted } = snapshot
  const about = edited ? t('about.edited') : t(`about.${source}`)
  return (
    <section aria-label={name} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-(--size-header) shrink-0 items-center gap-2 pr-4 pl-5 narrow:pr-3 narrow:pl-4">
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-heading leading-5 font-strong break-all">{name}</h2>
          <p className="truncate text-small text-ink-3">
            {about} {wanted === name && t('repair.chosen')}
          </p>
        </div>
        <Button onClick={() => void useDrafts.getState().open(name)}>{t('act.readAgain')}</Button>
        <Button onClick={() => void openFolder(name)}>{t('act.folder')}</Button>
      </header>
      <div className="scroll-quiet grid min-h-0 flex-1 content-start gap-8 overflow-y-auto px-5 pt-2 pb-6 narrow:px-4">
        {broken.map((file) => (
          <BrokenPart key={file.file} name={name} file={file} active={active} />
        ))}
        {broken.length === 0 && <Banner tone="warn">{t('unfinished')}</Banner>}
      </div>
    </section>
  )
}
