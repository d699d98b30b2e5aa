import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt, subscribe } from '../../../app/bridge.ts'
import { Button, Dialog, FailureBanner, StateLamp, cx } from '../../../components/index.ts'

import type { Failure, ToolLog } from '../../../../electron/contract/index.ts'
import type { FileDialogProps } from './allow-dialog.tsx'

/** A chatty program is read this often at most, in milliseconds. */
const READ_EVERY_MS = 250

const COLOURS: Record<ToolLog['lines'][number]['from'], string> = {
  out: 'text-ink',
  error: 'text-danger',
  app: 'text-ink-3 italic',
}

/** What a tool wrote, kept up to date while it is looked at. */
function useLog(path: string): { log: ToolLog | null; failure: Failure | null } {
  const [log, setLog] = useState<ToolLog | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      const answer = await attempt('tools.log', { path })
      if (left) return
      if (answer.ok) setLog(answer.value)
      setFailure(answer.ok ? null : answer.error)
    }
    void read()
    const unsubscribe = subscribe('tools.log', (said) => {
      if (said.path !== path || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void read()
      }, READ_EVERY_MS)
    })
    return () => {
      left = true
      clearTimeout(timer)
      unsubscribe()
    }
  }, [path])
  return { log, failure }
}

/** What a tool of the user's own wrote, and when its process came and went. */
export function LogDialog({ id, file, onClose }: FileDialogProps) {
  const { t, i18n } = useTranslation('local')
  const { log, failure } = useLog(file.path)
  const [unshown, setUnshown] = useState<Failure | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const count = log?.lines.length ?? 0
  useEffect(() => {
    // The newest line is in view, unless the person has gone up.
    const held = list.current
    if (held && held.scrollHeight - held.scrollTop - held.clientHeight < 80) held.scrollTop = held.scrollHeight
  }, [count])
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' })
  const show = async (): Promise<void> => {
    const answer = await attempt('tools.showFile', { path: file.path })
    setUnshown(answer.ok ? null : answer.error)
  }
  return (
    <Dialog
      open
      width="l"
      title={t('log.named', { id })}
      description={t('log.text')}
      onClose={onClose}
      footLead={
        <Button variant="quiet" onClick={() => void show()}>
          {t('show')}
        </Button>
      }
      foot={
        <Button data-autofocus="" onClick={onClose}>
          {t('close', { ns: 'common' })}
        </Button>
      }
    >
      <div className="grid gap-3">
        {failure && <FailureBanner failure={failure} />}
        {unshown && <FailureBanner failure={unshown} />}
        {log && (
          <StateLamp tone={log.running ? 'on' : 'off'}>{t(log.running ? 'log.running' : 'log.stopped')}</StateLamp>
        )}
        {log && count === 0 && <p className="text-ink-2">{t('log.empty')}</p>}
        {log && count > 0 && (
          <div
            ref={list}
            role="log"
            aria-label={t('log.lines')}
            tabIndex={0}
            className="mono scroll-quiet max-h-80 overflow-auto rounded-control border border-line bg-sunken p-3 outline-offset-1"
          >
            <ol>{log.lines.map((line, k) => (
              <li key={k} className="flex gap-3">
                <time dateTime={new Date(line.at).toISOString()} className="shrink-0 text-ink-3">
                  {time.format(line.at)}
                </time>
                <span className={cx('min-w-0 wrap-anywhere whitespace-pre-wrap', COLOURS[line.from])}>
                  {line.from !== 'out' && <span className="sr-only">{t(`log.from.${line.from}`)} </span>}
                  {line.text}
                </span>
              </li>
            ))}</ol>
          </div>
        )}
      </div>
    </Dialog>
  )
}
