import { cx } from './cx.ts'
import { Tooltip } from './tooltip.tsx'

/** Where the tool's own name begins: behind the alias of its source. */
function tailOf(id: string): number {
  const at = id.indexOf('__')
  return at > 0 ? at : 0
}

/**
 * A tool's ID in mono. Where there is no room for all of it the alias gives way, never the tool's own name; the whole
 * ID is in the tooltip and for the screen reader.
 */
export function ToolId({ id, className }: { id: string; className?: string | undefined }) {
  const tail = tailOf(id)
  const classes = cx('mono flex min-w-0 text-ink-3', className)
  if (tail === 0) return <span className={cx(classes, 'truncate')}>{id}</span>
  return (
    <Tooltip content={<span className="mono break-all">{id}</span>}>
      <span className={classes}>
        <span aria-hidden="true" className="min-w-6 shrink-[999] truncate">
          {id.slice(0, tail)}
        </span>
        <span aria-hidden="true" className="min-w-0 truncate">
          {id.slice(tail)}
        </span>
        <span className="sr-only">{id}</span>
      </span>
    </Tooltip>
  )
}
