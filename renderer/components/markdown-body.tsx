import { ImageOff } from 'lucide-react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

import { attempt } from '../app/bridge.ts'

import type { Components } from 'react-markdown'

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a
      className="link"
      href={href}
      onClick={(event) => {
        event.preventDefault()
        if (href) void attempt('app.openLink', { url: href })
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  ),
  img: ({ alt }) => (
    <span className="inline-flex items-center gap-1 rounded-tick border border-line px-1.5 text-small text-ink-3">
      <ImageOff aria-hidden="true" className="size-3.5" />
      {alt}
    </span>
  ),
  h1: ({ children }) => <h3 className="mt-3 font-strong first:mt-0">{children}</h3>,
  h2: ({ children }) => <h3 className="mt-3 font-strong first:mt-0">{children}</h3>,
  h3: ({ children }) => <h3 className="mt-3 font-strong first:mt-0">{children}</h3>,
  p: ({ children }) => <p className="mt-2 first:mt-0">{children}</p>,
  ul: ({ children }) => <ul className="mt-2 list-disc pl-5 first:mt-0">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="mt-2 list-decimal pl-5 first:mt-0">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="mt-0.5">{children}</li>,
  strong: ({ children }) => <strong className="font-strong">{children}</strong>,
  code: ({ children }) => <code className="rounded-tick bg-sunken px-1 font-mono text-[0.9em]">{children}</code>,
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="mono scroll-quiet mt-2 overflow-x-auto rounded-control bg-sunken px-3 py-2 first:mt-0 [&_code]:bg-transparent [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  blockquote: ({ children }) => <blockquote className="mt-2 border-l-2 border-line-strong pl-3">{children}</blockquote>,
  table: ({ children }) => (
    <div className="scroll-quiet mt-2 overflow-x-auto">
      <table className="border-collapse text-ui">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-b border-line-strong px-2 py-1 text-left font-strong">{children}</th>,
  td: ({ children }) => <td className="border-b border-line px-2 py-1">{children}</td>,
}

/** The parsed text; loaded by `Markdown` when the first one is shown. */
export function MarkdownBody({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} skipHtml components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  )
}
