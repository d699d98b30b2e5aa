import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { Button, Dialog, FailureBanner, Field, Select, Skeleton } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'

import { useExchangeMemory } from './memory.ts'

import type { ExportFormat, ExportPlan, Failure } from '../../../../electron/contract/index.ts'

const FORMATS: readonly ExportFormat[] = ['folder', 'zip', 'profile-md']

function sizeWords(language: string, bytes: number): string {
  const kilobytes = bytes / 1000
  const unit = kilobytes >= 1000 ? 'megabyte' : 'kilobyte'
  const value = unit === 'megabyte' ? kilobytes / 1000 : Math.max(0.1, kilobytes)
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)
}

function Plan({ plan }: { plan: ExportPlan }) {
  const { t, i18n } = useTranslation('exchange')
  const total = plan.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const lost = plan.problems.map((problem) => {
    const { message } = failureText(t, problem)
    return `${problem.line === null ? problem.file : `${problem.file}:${problem.line}`}: ${message}`
  })
  return (
    <>
      <p className="text-ink-2">
        {t('export.writes', { count: plan.files.length, size: sizeWords(i18n.language, total) })}{' '}
        <span className="mono text-ink">{plan.files.map(({ path }) => path).join(', ')}</span>
      </p>
      {lost.length > 0 && (
        <section aria-label={t('export.lost')} className="rounded-card bg-warn-soft px-4 py-3">
          <h3 className="font-strong">{t('export.lost')}</h3>
          <ul className="mt-1 grid gap-1 text-small text-ink-2">
            {[...new Set(lost)].map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Writes a profile out, after what its format cannot hold was shown. The format is remembered. */
export function ExportDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation('exchange')
  useReturnFocus(true)
  const { format, setFormat } = useExchangeMemory()
  const [plan, setPlan] = useState<ExportPlan | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let left = false
    void attempt('profiles.planExport', { name, format }).then((answer) => {
      if (left) return
      setPlan(answer.ok ? answer.value : null)
      setFailure(answer.ok ? null : answer.error)
    })
    return () => {
      left = true
    }
  }, [name, format])
  const write = async (): Promise<void> => {
    setBusy(true)
    const answer = await attempt('profiles.export', { name, format })
    setBusy(false)
    setFailure(answer.ok ? null : answer.error)
    if (!answer.ok || answer.value.path === null) return
    useToasts.getState().show({ text: t('export.done', { name, path: answer.value.path }) })
    onClose()
  }
  return (
    <Dialog
      open
      title={t('export.title', { name })}
      onClose={onClose}
      locked={busy}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button variant="primary" busy={busy} disabled={plan === null} onClick={() => void write()}>
            {t('export.submit')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label={t('export.format')} hint={t(`export.${format}Note`)}>
          {(control) => (
            <Select
              {...control}
              label={t('export.format')}
              value={format}
              onChange={setFormat}
              options={FORMATS.map((value) => ({ value, label: t(`export.${value}`), note: t(`export.${value}Note`) }))}
            />
          )}
        </Field>
        {failure && (
          <FailureBanner failure={failure}>
          </FailureBanner>
        )}
        {failure?.code === 'profile/exists' && <p className="text-ink-2">{t('export.again')}</p>}
        {plan ? <Plan plan={plan} /> : failure === null && <Skeleton className="h-16" />}
      </div>
    </Dialog>
  )
}
