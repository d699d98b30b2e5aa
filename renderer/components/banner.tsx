import { Info, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../app/failure-text.ts'

import { cx } from './cx.ts'

import type { Failure, Problem } from '../../electron/contract/index.ts'
import type { ComponentType, ReactNode } from 'react'

type BannerTone = 'fact' | 'warn' | 'danger'

const TONES: Record<BannerTone, { box: string; icon: string }> = {
  fact: { box: 'bg-hover', icon: 'text-ink-2' },
  warn: { box: 'bg-warn-soft', icon: 'text-warn' },
  danger: { box: 'bg-danger-soft', icon: 'text-danger' },
}

export interface BannerProps {
  tone?: BannerTone | undefined
  /** Instead of the tone's own. */
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }> | undefined
  /** The sentence that says what happened. */
  title?: ReactNode
  children?: ReactNode
  /** One button. */
  action?: ReactNode
  className?: string | undefined
}

/** A sentence about the view as a whole, then one button; `danger` is announced at once, the others politely. */
export function Banner({ tone = 'fact', icon, title, children, action, className }: BannerProps) {
  const Icon = icon ?? (tone === 'fact' ? Info : TriangleAlert)
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-card px-4 py-3', TONES[tone].box, className)}
    >
      <Icon aria-hidden="true" className={cx('mt-px size-4.5 shrink-0', TONES[tone].icon)} />
      <div className="min-w-0 flex-1 text-pretty text-ink-2">
        {title && <strong className="font-strong text-ink">{title}</strong>} {children}
      </div>
      {action && <div className="-my-1 shrink-0">{action}</div>}
    </div>
  )
}

export interface FailureBannerProps {
  failure: Failure | Problem
  tone?: BannerTone | undefined
  action?: ReactNode
  className?: string | undefined
}

/** A failure in the reader's language: what happened, what to do next, and its code. */
export function FailureBanner({ failure, tone = 'danger', action, className }: FailureBannerProps) {
  const { t } = useTranslation()
  const text = failureText(t, failure)
  return (
    <Banner tone={tone} title={text.message} action={action} className={className}>
      {text.hint} <span className="mono text-ink-3">{failure.code}</span>
    </Banner>
  )
}
