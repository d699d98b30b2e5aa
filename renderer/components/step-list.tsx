import { cx } from './cx.ts'

import type { ReactNode } from 'react'

export interface Step {
  id: string
  name: ReactNode
  state: 'pending' | 'running' | 'done' | 'failed'
  /** What came out, or what is being waited for. */
  detail?: ReactNode
  /** Already formatted, e.g. "1.2 s". */
  time?: ReactNode
  /** The state in words, for the screen reader. */
  stateText: string
}

const MARKS: Record<Step['state'], string> = {
  pending: 'rounded-full border-[1.5px] border-line-strong',
  running: 'rounded-full border-4 border-accent',
  done: 'rounded-full bg-accent',
  failed: 'scale-75 rotate-45 rounded-[2px] bg-danger',
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
            'relative grid grid-cols-[0.875rem_6.25rem_minmax(0,1fr)_auto] items-start gap-3 py-2.25',
            step.state === 'pending' ? 'text-ink-3' : step.state === 'done' ? 'text-ink-2' : 'text-ink',
          )}
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-7 -bottom-1.5 left-[0.40625rem] w-[1.5px]',
                step.state === 'done' ? 'bg-accent' : 'bg-line-strong',
              )}
            />
          )}
          <span aria-hidden="true" className={cx('lamp mt-0.5 size-3.5', MARKS[step.state])} />
          <span className="font-strong">
            {step.name}
            <span className="sr-only">, {step.stateText}</span>
          </span>
          <span className={cx('min-w-0 wrap-anywhere', step.state === 'failed' && 'text-danger')}>{step.detail}</span>
          <span className="text-small text-ink-3">{step.time}</span>
        </li>
      ))}
    </ol>
  )
}
