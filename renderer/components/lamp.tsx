import { cx } from './cx.ts'

import type { ReactNode } from 'react'

export type LampTone = 'on' | 'off' | 'wait' | 'bad'

const LAMPS: Record<LampTone, string> = {
  on: 'rounded-full bg-success',
  off: 'rounded-full border-[1.5px] border-ink-3',
  wait: 'rounded-full bg-warn',
  bad: 'rotate-45 rounded-[1px] bg-danger',
}

/** The lamp alone; always beside a word that says the same. */
export function Lamp({ tone }: { tone: LampTone }) {
  return <span aria-hidden="true" className={cx('lamp size-2 shrink-0', LAMPS[tone])} />
}

/** A state as lamp and word. */
export function StateLamp({ tone, children, className }: { tone: LampTone; children: ReactNode; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 text-small text-ink-2', className)}>
      <Lamp tone={tone} />
      {children}
    </span>
  )
}
