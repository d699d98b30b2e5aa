import { useTranslation } from 'react-i18next'

import { formatNumber, formatSeconds } from '../../app/format.ts'
import { ProgressBar, StepList, cx } from '../../components/index.ts'

import { stageOf } from './stage.ts'
import { useNow } from './use-now.ts'

import type { InstallStepState } from '../../../electron/contract/index.ts'
import type { Step } from '../../components/index.ts'

const SECOND_MS = 1000
/** Below this a tenth of a second says something. */
const TENTHS_BELOW_MS = 10_000

/** What came out of a step, or is being waited for, in words: the main process sends a bare value. */
export function useStepDetail(): (step: InstallStepState) => string | undefined {
  const { t } = useTranslation('spaces')
  return ({ step, state, detail, expectedMs }) => {
    if (state === 'pending') return undefined
    if (state === 'failed') return t('background.didNot', { ns: 'keep' })
    if (step === 'validate' && state === 'done') return t('dialog.result.found')
    if (detail === undefined || detail === '') return undefined
    if (step === 'wake') {
      if (detail === 'awake' || state === 'done') return t('dialog.result.awake')
      const { word } = stageOf(detail)
      if (word === 'other') return detail
      if (word !== 'asleep') return t(`stage.${word}`)
      if (expectedMs === undefined) return t('dialog.waking')
      return t('install.asleep', { ns: 'keep', seconds: Math.round(expectedMs / SECOND_MS) })
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

/** Above it a step that takes longer than expected is shown as nearly done, never as done. */
const ALMOST = 0.95

/** What is known of the time that the running step takes: how long it is expected to take, and when it gives up. */
function StepTime({ step }: { step: InstallStepState }) {
  const { t, i18n } = useTranslation('keep')
  const now = useNow(true, SECOND_MS)
  const { startedAt, expectedMs, limitMs } = step
  if (startedAt === undefined) return null
  const elapsed = Math.max(0, now - startedAt)
  const late = expectedMs !== undefined && elapsed > expectedMs
  const seconds = (ms: number): string => formatNumber(i18n.language, Math.round(ms / SECOND_MS))
  // Limits say something once one has begun to wait.
  const limit = limitMs !== undefined && (expectedMs !== undefined || elapsed > 3 * SECOND_MS) ? limitMs : undefined
  return (
    <span className="grid gap-1">
      {expectedMs !== undefined && (
        <span className="mt-2 block">
          <ProgressBar fraction={Math.min(ALMOST, elapsed / expectedMs)} />
        </span>
      )}
      {(late || limit !== undefined) && (
        <span className="text-small text-ink-3">
          {late && t('install.longer')} {limit !== undefined && t('install.limit', { seconds: seconds(limit) })}
        </span>
      )}
    </span>
  )
}

/** Seconds of the step that is under way. Hidden from the screen reader, which would read every tick. */
export function Elapsed({ step }: { step: InstallStepState }) {
  const { i18n } = useTranslation('spaces')
  const now = useNow(true, SECOND_MS)
  const seconds = step.startedAt === undefined ? 0 : Math.floor(Math.max(0, now - step.startedAt) / SECOND_MS)
  return <span aria-hidden="true">{seconds > 0 && `${formatNumber(i18n.language, seconds)} s`}</span>
}

/** The five steps from top to bottom, while a Space is looked at and after a failure. */
export function InstallSteps({ steps }: { steps: readonly InstallStepState[] }) {
  const { t } = useTranslation('spaces')
  const detailOf = useStepDetail()
  const duration = useDuration()
  const shown: Step[] = steps.map((step) => {
    const detail = detailOf(step)
    const waiting = step.state === 'pending' || step.state === 'running' ? t(`dialog.waiting.${step.step}`) : undefined
    const running = step.state === 'running'
    return {
      id: step.step,
      name: t(`dialog.steps.${step.step}`),
      state: step.state,
      stateText: t(`dialog.stepState.${step.state}`),
      detail: running ? (
        <>
          {detail ?? waiting}
          <StepTime step={step} />
        </>
      ) : (
        (detail ?? waiting)
      ),
      time: running ? <Elapsed step={step} /> : duration(step.durationMs),
    }
  })
  return <StepList steps={shown} />
}

/** The same steps as marks on one scale, above the tools that were found. */
export function InstallScale({ steps }: { steps: readonly InstallStepState[] }) {
  const { t } = useTranslation('spaces')
  const detailOf = useStepDetail()
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
