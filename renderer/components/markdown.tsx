import { lazy, Suspense } from 'react'

import { cx } from './cx.ts'

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }))

/**
 * Text written by a model or a Space. No HTML, no pictures are loaded; links ask before they leave the app. Until the
 * parser is there, the plain text shows.
 */
export function Markdown({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div className={cx('min-w-0 wrap-anywhere', className)}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownBody text={text} />
      </Suspense>
    </div>
  )
}
