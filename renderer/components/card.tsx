import { cx } from './cx.ts'

import type { ComponentProps } from 'react'

/** A raised surface with a hairline; `as="article"` etc. through the element's own role where it is one. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('rounded-card border border-line bg-raised shadow-raised', className)} />
}
