import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { saveBytes } from '../../app/save-bytes.ts'
import { Button, Dialog, FailureBanner, Skeleton } from '../../components/index.ts'
import { useToasts } from '../../stores/toasts.ts'

import type { Failure } from '../../../electron/contract/index.ts'

function Report({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('robot')
  const [text, setText] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    let gone = false
    void attempt('robot.diagnostics', {}).then((answer) => {
      if (gone) return
      if (answer.ok) setText(answer.value.text)
      else setFailure(answer.error)
    })
    return () => {
      gone = true
    }
  }, [])

  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard.writeText(text ?? '').then(
      () => true,
      () => false,
    )
    useToasts.getState().show({ text: t(copied ? 'copied' : 'copyFailed') })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="l"
      title={t('diagnostics')}
      description={t('diagnosticsText')}
      foot={
        <>
          <Button
            disabled={text === null}
            onClick={() => saveBytes('reachy-mini-diagnostics.txt', { mimeType: 'text/plain', text: text ?? '' })}
          >
            {t('save')}
          </Button>
          <Button variant="primary" disabled={text === null} onClick={() => void copy()}>
            {t('copy')}
          </Button>
        </>
      }
    >
      {failure && <FailureBanner failure={failure} />}
      {text === null && failure === null && <Skeleton className="h-40" />}
      {text !== null && (
        <section
          aria-label={t('report')}
          // Scrolled with the keyboard.
          tabIndex={0}
          className="scroll-quiet max-h-80 overflow-auto rounded-card bg-sunken p-3"
        >
          <pre className="mono whitespace-pre-wrap select-text">{text}</pre>
        </section>
      )}
    </Dialog>
  )
}

/** What to send to whoever helps. */
export function DiagnosticsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <Report onClose={onClose} /> : null
}
