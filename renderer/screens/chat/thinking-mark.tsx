import { cx } from '../../components/index.ts'

/** Two unequal dots: look left and right while waiting, trail the text while it streams. Decorative. */
export function ThinkingMark({ waiting = false }: { waiting?: boolean }) {
  return (
    <span aria-hidden="true" className={cx('inline-flex items-center gap-1', waiting && 'animate-glance')}>
      <span className="size-2 rounded-full bg-accent" />
      <span className="size-1.5 rounded-full bg-accent" />
    </span>
  )
}
