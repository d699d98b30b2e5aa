import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, IconButton, Lamp, ProgressBar } from '../../components/index.ts'
import { useInstalls } from '../../stores/spaces.ts'

import { Elapsed, useStepDetail } from './install-steps.tsx'
import { useInstall } from './install-store.ts'
import { shownSteps, slugOf } from './preview-facts.ts'

import type { Installation } from './install-store.ts'

/** Steps before the person is asked. */
const STEPS_TO_ANSWER = 4

function Row({ installation }: { installation: Installation }) {
  const { t } = useTranslation('spaces')
  const detailOf = useStepDetail()
  const progress = useInstalls((state) => state.installs[installation.operationId])
  const { operationId, phase } = installation
  const { open, cancel } = useInstall.getState()
  const slug = slugOf(installation)
  const steps = shownSteps(progress, phase === 'failed')
  const step = steps.find((one) => one.state === 'running')
  const done = steps.filter((one) => one.state === 'done').length
  const looking = phase === 'looking' || phase === 'installing'
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-card bg-hover py-1.5 pr-1.5 pl-4">
      <Lamp tone={phase === 'failed' ? 'bad' : looking ? 'wait' : 'on'} />
      <div role="status" aria-atomic="false" aria-label={t('dialog.status', { slug })} className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 truncate font-medium">{slug}</span>
          <span className="min-w-0 text-small wrap-anywhere text-ink-2">
            {phase === 'failed'
              ? t('background.didNot', { ns: 'keep' })
              : phase === 'choosing'
                ? t('background.waits', { ns: 'keep' })
                : step && `${t(`dialog.steps.${step.step}`)}: ${detailOf(step) ?? t(`dialog.waiting.${step.step}`)}`}
          </span>
          {step && looking && (
            <span className="ml-auto text-small text-ink-3">
              <Elapsed step={step} />
            </span>
          )}
        </p>
        {looking && (
          <span className="mt-1 block">
            <ProgressBar fraction={(done + 0.5) / STEPS_TO_ANSWER} />
          </span>
        )}
      </div>
      <Button size="s" aria-label={t('background.showNamed', { ns: 'keep', slug })} onClick={() => open(operationId)}>
        {t('background.show', { ns: 'keep' })}
      </Button>
      <IconButton
        size="s"
        label={t('background.cancelNamed', { ns: 'keep', slug })}
        disabled={phase === 'installing'}
        onClick={() => cancel(operationId)}
      >
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}

/** Installations that go on, or wait for an answer, without their dialog. */
export function BackgroundStatus() {
  const { t } = useTranslation('keep')
  const background = useInstall((state) => state.background)
  if (background.length === 0) return null
  return (
    <ul aria-label={t('background.label')} className="mb-3 grid gap-2">
      {background.map((installation) => (
        <Row key={installation.operationId} installation={installation} />
      ))}
    </ul>
  )
}
