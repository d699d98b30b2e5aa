import { Check, CircleSlash, Copy, Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { formatSeconds } from '../../../app/format.ts'
import { saveBytes } from '../../../app/save-bytes.ts'
import { Button, IconButton, ResultFile, ResultPicture, cx } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'

import type { Failure, ToolResult } from '../../../../electron/contract/index.ts'
import type { TryOutcome } from './try-store.ts'

function Actions({ received, shown, onShow }: { received: string; shown: boolean; onShow: (shown: boolean) => void }) {
  const { t } = useTranslation('detail')
  const copy = async (): Promise<void> => {
    const { show } = useToasts.getState()
    try {
      await navigator.clipboard.writeText(received)
      show({ text: t('result.copied') })
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      show({ text: t('result.notCopied') })
    }
  }
  return (
    <div className="flex items-center gap-1">
      <Button size="s" aria-expanded={shown} onClick={() => onShow(!shown)}>
        {t('result.asReceived')}
      </Button>
      <IconButton size="s" label={t('result.copy')} onClick={() => void copy()}>
        <Copy aria-hidden="true" />
      </IconButton>
      <IconButton
        size="s"
        label={t('result.save', { name: 'answer.json' })}
        onClick={() => saveBytes('answer.json', { mimeType: 'application/json', text: received })}
      >
        <Download aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/** How it ended, how long it took, and what a person should know of the answer. */
function Ending({ result }: { result: ToolResult }) {
  const { t, i18n } = useTranslation('detail')
  return (
    <>
      <p role="status" className="flex items-center gap-2 text-ink-2">
        {result.isError ? (
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
        ) : (
          <Check aria-hidden="true" className="size-4 shrink-0 text-success" />
        )}
        {result.isError ? t('result.failed') : t('result.done')}
        <span className="text-ink-3">{formatSeconds(i18n.language, result.durationMs / 1000)}</span>
      </p>
      {(result.warnings ?? []).map((warning) => (
        <p key={warning} className="flex gap-1.5 text-small text-warn">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.75 shrink-0" />
          {t(`result.warnings.${warning}`)}
        </p>
      ))}
    </>
  )
}

function Answered({ id, result, received }: { id: string; result: ToolResult; received: string }) {
  const { t } = useTranslation('detail')
  const [raw, setRaw] = useState(false)
  const files = result.files ?? []
  const isEmpty = result.text === '' && result.images.length === 0 && files.length === 0
  const shown = result.images.length > 0 || files.length > 0
  return (
    <div className={cx('grid gap-4', shown ? 'grid-cols-[14rem_minmax(0,1fr)]' : 'grid-cols-[minmax(0,1fr)]')}>
      {shown && (
        <div className="grid min-w-0 content-start gap-3">
          {result.images.map((image, index) => (
            <ResultPicture key={index} id={id} image={image} />
          ))}
          {files.map((file, index) => (
            <ResultFile key={`${index} ${file.name}`} id={id} file={file} />
          ))}
        </div>
      )}
      <div className="grid min-w-0 content-start gap-2">
        <Ending result={result} />
        {result.text !== '' && (
          <p
            tabIndex={0}
            aria-label={t('result.text')}
            role="group"
            className="scroll-quiet max-h-72 overflow-y-auto wrap-anywhere whitespace-pre-wrap"
          >
            {result.text}
          </p>
        )}
        {isEmpty && <p className="text-ink-3">{t('result.empty')}</p>}
        <p className="text-small text-ink-3">{t('result.stays')}</p>
        <Actions received={received} shown={raw} onShow={setRaw} />
      </div>
      {raw && (
        <pre
          tabIndex={0}
          aria-label={t('result.asReceived')}
          className="mono scroll-quiet col-span-full max-h-72 overflow-auto rounded-control bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap"
        >
          {received}
        </pre>
      )}
    </div>
  )
}

function Failed({ failure }: { failure: Failure }) {
  const { t } = useTranslation('detail')
  const { message, hint } = failureText(t, failure)
  const stopped = failure.code === 'tools/cancelled' || failure.code === 'app/cancelled'
  return (
    <p role="status" className="flex gap-2 text-ink-2">
      <CircleSlash aria-hidden="true" className="mt-px size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-strong">{stopped ? t('result.stopped') : t('result.refused')}</strong>{' '}
        {!stopped && (
          <>
            {message} {hint} <span className="mono text-ink-3">{failure.code}</span>
          </>
        )}
      </span>
    </p>
  )
}

/** What a try brought. Stays on this screen: neither model nor robot sees it. */
export function TryResult({ id, outcome }: { id: string; outcome: TryOutcome }) {
  const { t } = useTranslation('detail')
  return (
    <div
      role="group"
      aria-label={t('try.result', { id })}
      className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3"
    >
      {outcome.kind === 'answered' ? <Answered id={id} {...outcome.answer} /> : <Failed failure={outcome.failure} />}
    </div>
  )
}
