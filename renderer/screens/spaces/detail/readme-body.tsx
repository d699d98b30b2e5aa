import { createContext, use } from 'react'
import { useTranslation } from 'react-i18next'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

import { attempt } from '../../../app/bridge.ts'

import { ReadmePicture } from './readme-picture.tsx'

import type { ReactNode } from 'react'
import type { Components } from 'react-markdown'

export interface ReadmeBodyProps {
  slug: string
  markdown: string
  /** What the addresses of the Space's own pictures begin with. */
  own: string
}

const PlaceContext = createContext<{ slug: string; own: string }>({ slug: '', own: '' })

function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (!href?.startsWith('https://')) return <span>{children}</span>
  return (
    <a
      className="link"
      href={href}
      title={href}
      onClick={(event) => {
        event.preventDefault()
        void attempt('app.openLink', { url: href })
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  )
}

function Picture({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const { slug, own } = use(PlaceContext)
  if (typeof src !== 'string' || !/^https?:\/\//.test(src) || !URL.canParse(src)) return <span>{alt}</span>
  return <ReadmePicture slug={slug} url={src} alt={alt ?? ''} own={own !== '' && src.startsWith(own)} />
}

function Code({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('detail')
  return (
    <pre
      tabIndex={0}
      aria-label={t('readme.code')}
      className="mono scroll-quiet my-2 overflow-x-auto rounded-control bg-sunken px-3 py-2 [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-[1em]"
    >
      {children}
    </pre>
  )
}

const HEADING = 'font-strong first:mt-0 wrap-anywhere'

const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  // A link around a picture would hide the picture's own button.
  h1: ({ children }) => <h3 className={`mt-4 text-title leading-7 tracking-title ${HEADING}`}>{children}</h3>,
  h2: ({ children }) => <h4 className={`mt-4 text-heading ${HEADING}`}>{children}</h4>,
  h3: ({ children }) => <h5 className={`mt-3 ${HEADING}`}>{children}</h5>,
  h4: ({ children }) => <h6 className={`mt-3 ${HEADING}`}>{children}</h6>,
  h5: ({ children }) => <h6 className={`mt-3 ${HEADING}`}>{children}</h6>,
  h6: ({ children }) => <h6 className={`mt-3 ${HEADING}`}>{children}</h6>,
  p: ({ children }) => <div className="mt-2 select-text first:mt-0">{children}</div>,
  ul: ({ children }) => <ul className="mt-2 list-disc pl-5 marker:text-ink-3 first:mt-0">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="mt-2 list-decimal pl-5 marker:text-ink-3 first:mt-0">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="mt-0.5">{children}</li>,
  hr: () => <hr className="my-4 border-line" />,
  strong: ({ children }) => <strong className="font-strong">{children}</strong>,
  code: ({ children }) => <code className="rounded-tick bg-sunken px-1 font-mono text-[0.9em]">{children}</code>,
  pre: ({ children }) => <Code>{children}</Code>,
  blockquote: ({ children }) => <blockquote className="mt-2 border-l-2 border-line-strong pl-3">{children}</blockquote>,
  table: ({ children }) => (
    <div className="scroll-quiet mt-2 overflow-x-auto">
      <table className="border-collapse text-ui">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-b border-line-strong px-2 py-1 text-left font-strong">{children}</th>,
  td: ({ children }) => <td className="border-b border-line px-2 py-1 align-top">{children}</td>,
  input: ({ checked }) => <span>{checked === true ? '☑ ' : '☐ '}</span>,
}

/** The parsed README. No HTML, no picture that nobody asked for, links ask before they leave the app. */
export function ReadmeBody({ slug, markdown, own }: ReadmeBodyProps) {
  return (
    <PlaceContext value={{ slug, own }}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} skipHtml components={COMPONENTS}>
        {markdown}
      </ReactMarkdown>
    </PlaceContext>
  )
}
