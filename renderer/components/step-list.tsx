import { Check } from 'lucide-react'

import { cx } from './cx.ts'
import { Spinner } from './feedback.tsx'

import type { ReactNode } from 'react'

export interface Step {
  id: string
  name: ReactNode
  state: 'pending' | 'running' | 'done' | 'failed'
  /** What came out, or what is being waited for. */
  detail?: ReactNode
  /** Already formatted, e.g. "1.2 s". */
  time?: string | undefined
  /** The state in words, for the screen reader. */
  stateText: string
}

function StepMark({ state }: { state: Step['state'] }) {
  if (state === 'running') return <Spinner className="size-4" />
  return (
    <span
      aria-hidden="true"
      className={cx(
        'lamp grid size-4 place-items-center [&_svg]:size-3 [&_svg]:stroke-[3]',
        state === 'pending' && 'rounded-full border-[1.5px] border-line-strong',
        state === 'done' && 'rounded-full bg-accent text-on-accent',
        state === 'failed' && 'scale-75 rotate-45 rounded-[2px] bg-danger',
      )}
    >
      {state === 'done' && <Check />}
    </span>
  )
}

/** Steps of one piece of work, from top to bottom, with what came out of each. */
export function StepList({ steps, label }: { steps: readonly Step[]; label?: string | undefined }) {
  return (
    <ol aria-label={label} className="grid">
      {steps.map((step, index) => (
        <li
          key={step.id}
          aria-current={step.state === 'running' ? 'step' : undefined}
          className={cx(
            'relative grid grid-cols-[1rem_6rem_minmax(0,1fr)_auto] items-center gap-3 py-2',
            step.state === 'pending' ? 'text-ink-3' : 'text-ink',
          )}
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-[calc(50%+0.6875rem)] left-[0.4375rem] h-[calc(100%-1.375rem)] w-[1.5px]',
                step.state === 'done' ? 'bg-accent' : 'bg-line-strong',
              )}
            />
          )}
          <StepMark state={step.state} />
          <span className="font-strong">
            {step.name}
            <span className="sr-only">, {step.stateText}</span>
          </span>
          <span className={cx('min-w-0 wrap-anywhere', step.state === 'failed' ? 'text-danger' : 'text-ink-2')}>
            {step.detail}
          </span>
          <span className="text-small text-ink-3">{step.time}</span>
        </li>
      ))}
    </ol>
  )
}
