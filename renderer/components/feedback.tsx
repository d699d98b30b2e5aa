import { cx } from './cx.ts'

/** A turning ring; stands still with reduced motion. Decorative: say in words what is under way. */
export function Spinner({ inherit = false, className }: { inherit?: boolean; className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block size-3.5 shrink-0 animate-turn rounded-full border-2 border-line-strong border-t-accent',
        inherit && 'border-current/35 border-t-current',
        className,
      )}
    />
  )
}

/** A quiet block in the place of content that is being read; give it a size by class. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden="true" className={cx('block rounded-control bg-hover', className)} />
}

/** A thin bar: the part of a known whole, or a full-width run when `fraction` is unknown. */
export function ProgressBar({ fraction, label }: { fraction: number; label?: string | undefined }) {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 100)
  return (
    <span
      role={label ? 'progressbar' : undefined}
      aria-label={label}
      aria-valuenow={label ? percent : undefined}
      aria-hidden={label ? undefined : true}
      className="block h-1 w-full overflow-hidden rounded-full bg-line-strong"
    >
      <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </span>
  )
}
