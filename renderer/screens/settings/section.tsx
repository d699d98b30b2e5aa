import { Card } from '../../components/index.ts'

import type { ReactNode } from 'react'

/** One part of the settings, reached from the list beside it. */
export function Section({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-4 gap-3">
      <div className="grid gap-1">
        <h2 id={`${id}-title`} tabIndex={-1} className="text-heading font-strong outline-none">
          {title}
        </h2>
        {text && <p className="text-body text-pretty text-ink-2">{text}</p>}
      </div>
      <Card className="grid gap-4 p-4">{children}</Card>
    </section>
  )
}
