import { cx } from './cx.ts'
import { shortenMiddle } from './shorten.ts'
import { Tooltip } from './tooltip.tsx'

/** A tool's ID in mono, shortened in the middle; whole in the tooltip and for the screen reader. */
export function ToolId({
  id,
  max = 34,
  className,
}: {
  id: string
  max?: number | undefined
  className?: string | undefined
}) {
  const short = shortenMiddle(id, max)
  const classes = cx('mono min-w-0 truncate text-ink-3', className)
  if (short === id) return <span className={classes}>{id}</span>
  return (
    <Tooltip content={<span className="mono break-all">{id}</span>}>
      <span className={classes}>
        <span aria-hidden="true">{short}</span>
        <span className="sr-only">{id}</span>
      </span>
    </Tooltip>
  )
}
