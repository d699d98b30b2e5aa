import type { ReactNode } from 'react'

export interface EmptyStateProps {
  title: ReactNode
  /** What works now, in one or two sentences. */
  children?: ReactNode
  /** Real buttons. */
  actions?: ReactNode
}

/** Nothing here: a heading, what works now, and buttons that do it. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-12 text-center">
      <h2 className="text-heading font-strong">{title}</h2>
      {children && <div className="text-body text-pretty text-ink-2">{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}
