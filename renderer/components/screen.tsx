import { cx } from './cx.ts'

import type { ReactNode, Ref } from 'react'

export interface ScreenProps {
  title: ReactNode
  /** Beside the title: tabs, a badge. */
  lead?: ReactNode
  /** At the right end of the header. */
  actions?: ReactNode
  /** Under the header, above the part that scrolls. */
  toolbar?: ReactNode
  /** The body scrolls by itself (default), or the screen lays it out (`false`: a flex column that fills the sheet). */
  scroll?: boolean | undefined
  /** The part that scrolls. */
  bodyRef?: Ref<HTMLDivElement> | undefined
  children: ReactNode
}

/** What a screen puts on the sheet: a header of 60 px, then its body. */
export function Screen({ title, lead, actions, toolbar, scroll = true, bodyRef, children }: ScreenProps) {
  return (
    <>
      <header className="flex min-h-(--size-header) shrink-0 items-center gap-3 pr-4 pl-6 narrow:pr-3 narrow:pl-4">
        <h1 className="screen-title min-w-0 truncate" tabIndex={-1}>
          {title}
        </h1>
        {lead}
        {actions && <div className="ml-auto flex min-w-0 items-center gap-2">{actions}</div>}
      </header>
      {toolbar && <div className="shrink-0 px-6 pb-3 narrow:px-4">{toolbar}</div>}
      <div
        ref={bodyRef}
        className={cx(
          'min-h-0 flex-1',
          scroll ? 'scroll-quiet overflow-y-auto px-6 pt-1 pb-6 narrow:px-4 narrow:pb-4' : 'flex flex-col',
        )}
      >
        {children}
      </div>
    </>
  )
}
