import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { formatBytes } from '../../../app/bytes.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Banner, Button, Dialog, FailureBanner } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { useDrafts } from '../draft-store.ts'
import { isOn } from '../drafts.ts'

import { fileName } from './file-facts.ts'
import { FileText } from './file-text.tsx'

import type { Failure, ToolFileInfo, ToolMember } from '../../../../electron/contract/index.ts'
import type { ReactNode } from 'react'

export interface FileDialogProps {
  id: string
  file: ToolFileInfo
  profile: string
  onClose: () => void
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-ink-3">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Facts({ file }: { file: ToolFileInfo }) {
  const { t, i18n } = useTranslation('local')
  return (
    <dl className="grid gap-1">
      <Fact label={t('fact.file')}>
        <span className="mono">{file.path}</span>
      </Fact>
      <Fact label={t('fact.language')}>
        {t(`language.${file.language}`)}, {formatBytes(i18n.language, file.bytes)}
      </Fact>
      <Fact label={t('fact.for')}>
        {file.profile === null ? t('fact.everywhere') : t('fact.only', { name: file.profile })}
      </Fact>
    </dl>
  )
}

/** What allowing means, in the order in which it matters. */
function Meaning() {
  const { t } = useTranslation('local')
  return (
    <ul className="grid list-disc gap-1 pl-5 text-body text-ink-2 marker:text-ink-3">
      <li>{t('allow.means.program')}</li>
      <li>{t('allow.means.apart')}</li>
      <li>{t('allow.means.asks')}</li>
      <li>{t('allow.means.bytes')}</li>
    </ul>
  )
}

function Members({ id, members }: { id: string; members: readonly ToolMember[] }) {
  const { t } = useTranslation('local')
  return (
    <div className="grid gap-3" role="status">
      <p className="text-body">{t('allow.done', { id, count: members.length })}</p>
      <ul className="rounded-card border border-line">
        {members.map((member) => (
          <li key={member.name} className="border-t border-line px-3 py-2 first:border-t-0">
            <p className="mono wrap-anywhere text-ink">{member.name}</p>
            <p className="text-small wrap-anywhere text-ink-2">{member.description}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The file's text, and again when `again` is called. */
function useFileText(path: string): {
  read: { text: string; sha256: string } | null
  failure: Failure | null
  again: () => void
} {
  const [read, setRead] = useState<{ text: string; sha256: string } | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let left = false
    void attempt('tools.readFile', { path }).then((answer) => {
      if (left) return
      if (answer.ok) setRead(answer.value)
      setFailure(answer.ok ? null : answer.error)
    })
    return () => {
      left = true
    }
  }, [path, turn])
  const again = useCallback(() => setTurn((now) => now + 1), [])
  return { read, failure, again }
}

/** Whether a file may run: what it is, its whole text, what a yes means. Nothing of it was run before. */
export function AllowDialog({ id, file, profile, onClose }: FileDialogProps) {
  const { t } = useTranslation('local')
  const { path } = file
  const { read, failure: unread, again } = useFileText(path)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [allowed, setAllowed] = useState<ToolFileInfo | null>(null)
  const draft = useDrafts((state) => state.drafts[profile])
  const isListed = draft !== undefined && isOn(draft, id)

  const allow = async (): Promise<void> => {
    if (read === null) return
    setBusy(true)
    setFailure(null)
    const answer = await attempt('tools.allow', { path, sha256: read.sha256 })
    setBusy(false)
    if (answer.ok) setAllowed(answer.value)
    else setFailure(answer.error)
  }
  const show = async (): Promise<void> => {
    const answer = await attempt('tools.showFile', { path })
    if (!answer.ok) useToasts.getState().show({ text: failureText(t, answer.error).message })
  }
  const showButton = (
    <Button variant="quiet" onClick={() => void show()}>
      {t('show')}
    </Button>
  )
  const title = t('allow.named', { id })

  if (allowed) {
    return (
      <Dialog
        open
        title={title}
        onClose={onClose}
        footLead={showButton}
        foot={
          <>
            <Button data-autofocus="" onClick={onClose}>
              {t('close', { ns: 'common' })}
            </Button>
            {!isListed && draft && (
              <Button
                variant="primary"
                onClick={() => {
                  useDrafts.getState().press(profile, id, true)
                  onClose()
                }}
              >
                {t('allow.turnOn', { profile })}
              </Button>
            )}
          </>
        }
      >
        <Members id={id} members={allowed.members} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      width="l"
      title={title}
      description={t(file.state === 'changed' ? 'allow.changedText' : 'allow.text')}
      onClose={onClose}
      locked={busy}
      footLead={showButton}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button variant="primary" busy={busy} disabled={read === null} onClick={() => void allow()}>
            {t('allow.yes')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {failure && (
          <FailureBanner
            failure={failure}
            action={
              failure.code === 'tools/file-changed' && (
                <Button
                  size="s"
                  onClick={() => {
                    setFailure(null)
                    again()
                  }}
                >
                  {t('allow.again')}
                </Button>
              )
            }
          />
        )}
        {unread && <FailureBanner failure={unread} />}
        {busy && <Banner title={t('allow.starting', { name: fileName(path) })} />}
        <Facts file={file} />
        {!unread && <FileText name={fileName(path)} text={read?.text ?? null} />}
        <Meaning />
      </div>
    </Dialog>
  )
}
