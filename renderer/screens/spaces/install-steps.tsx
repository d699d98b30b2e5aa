import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber, formatSeconds } from '../../app/format.ts'
import { StepList, cx } from '../../components/index.ts'

import { stageOf } from './stage.ts'

import type { InstallStepState } from '../../../electron/contract/index.ts'
import type { Step } from '../../components/index.ts'

const SECOND_MS = 1000
/** Below this a tenth of a second says something. */
const TENTHS_BELOW_MS = 10_000

/** What came out of a step, or is being waited for, in words: the main process sends a bare value. */
function useDetail(): (step: InstallStepState) => string | undefined {
  const { t } = useTranslation('spaces')
  return ({ step, state, detail }) => {
    if (state === 'pending') return undefined
    if (step === 'validate' && state === 'done') return t('dialog.result.found')
    if (detail === undefined || detail === '') return undefined
    if (step === 'wake') {
      if (detail === 'awake' || state === 'done') return t('dialog.result.awake')
      const { word } = stageOf(detail)
      return word === 'asleep' ? t('dialog.waking') : word === 'other' ? detail : t(`stage.${word}`)
    }
    if (step === 'connect' && (detail === 'streamable-http' || detail === 'sse')) return t(`dialog.result.${detail}`)
    if (step === 'discover' && /^\d+$/.test(detail)) return t('dialog.result.tools', { count: Number(detail) })
    return detail
  }
}

function useDuration(): (ms: number | undefined) => string | undefined {
  const { i18n } = useTranslation('spaces')
  return (ms) => {
    if (ms === undefined) return undefined
    if (ms < TENTHS_BELOW_MS) return formatSeconds(i18n.language, ms / SECOND_MS)
    return `${formatNumber(i18n.language, Math.round(ms / SECOND_MS))} s`
  }
}

/** Seconds of the step that is under way. Hidden from the screen reader, which would read every tick. */
function Elapsed({ step }: { step: string }) {
  const { i18n } = useTranslation('spaces')
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    const timer = setInterval(() => setSeconds((held) => held + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [step])
  return (
    <span aria-hidden="true" className="-mr-3 shrink-0 text-small text-ink-3">
      {seconds > 0 && `${formatNumber(i18n.language, seconds)} s`}
    </span>
  )
}

/** The five steps from top to bottom, while a Space is looked at and after a failure. */
export function InstallSteps({ steps }: { steps: readonly InstallStepState[] }) {
  const { t } = useTranslation('spaces')
  const detailOf = useDetail()
  const duration = useDuration()
  const shown: Step[] = steps.map((step) => {
    const detail = detailOf(step)
    const waiting = step.state === 'pending' || step.state === 'running' ? t(`dialog.waiting.${step.step}`) : undefined
    return {
      id: step.step,
      name: t(`dialog.steps.${step.step}`),
      state: step.state,
      stateText: t(`dialog.stepState.${step.state}`),
      detail:
        step.state === 'running' ? (
          <span className="flex items-baseline gap-3">
            <span className="min-w-0 flex-1">{detail ?? waiting}</span>
            <Elapsed step={step.step} />
          </span>
        ) : (
          (detail ?? waiting)
        ),
      time: step.state === 'running' ? undefined : duration(step.durationMs),
    }
  })
  return <StepList steps={shown} />
}

/** The same steps as marks on one scale, above the tools that were found. */
export function InstallScale({ steps }: { steps: readonly InstallStepState[] }) {
  const { t } = useTranslation('spaces')
  const detailOf = useDetail()
  const duration = useDuration()
  const now = steps.findIndex((step) => step.state !== 'done')
  return (
    <ol className="grid grid-cols-[repeat(4,1fr)_auto]">
      {steps.map((step, i) => {
        const done = step.state === 'done'
        const note = step.step === 'validate' || step.step === 'connect' ? duration(step.durationMs) : detailOf(step)
        return (
          <li
            key={step.step}
            aria-current={i === now ? 'step' : undefined}
            className={cx(
              'relative grid content-start gap-px pt-4.5 pr-2 text-small last:pr-0',
              done ? 'text-ink-2' : i === now ? 'font-strong text-ink' : 'text-ink-3',
            )}
          >
            {i < steps.length - 1 && (
              <span
                aria-hidden="true"
                className={cx(
                  'absolute top-1.25 right-0.75 left-3.75 h-[1.5px]',
                  done ? 'bg-accent' : 'bg-line-strong',
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={cx(
                'lamp absolute top-0 left-0 size-3 rounded-full',
                done ? 'bg-accent' : i === now ? 'border-3 border-accent' : 'border-[1.5px] border-line-strong',
              )}
            />
            <span>
              {t(`dialog.steps.${step.step}`)}
              <span className="sr-only">, {t(`dialog.stepState.${step.state}`)}</span>
            </span>
            {note && <span className="font-normal text-ink-3">{note}</span>}
          </li>
        )
      })}
    </ol>
  )
}
