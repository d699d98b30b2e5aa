import { cx } from '../../components/index.ts'

import { cutAtSpans, seenParts } from './review/text-marks.ts'

import type { Span } from './review/text-marks.ts'

const ODD = 'underline decoration-warn decoration-wavy decoration-1 underline-offset-[0.2em]'

export interface SeenTextProps {
  text: string
  /** Places to underline, counted from where `offset` is 0. */
  spans?: readonly Span[]
  /** Where `text` begins in the text that the spans belong to. */
  offset?: number
  /** The places get a ground as well, where there is none already. */
  ground?: boolean
}

/** A stranger's text as it is: invisible characters by their codes, odd places underlined. */
export function SeenText({ text, spans = [], offset = 0, ground = false }: SeenTextProps) {
  return (
    <>
      {cutAtSpans(text, offset, spans).map((part, i) => (
        <span key={i} className={part.odd ? cx(ODD, ground && 'rounded-tick bg-warn-soft text-ink') : undefined}>
          {seenParts(part.text).map((seen, j) =>
            seen.hidden ? (
              <span key={j} className="mono rounded-tick border border-warn bg-warn-soft px-0.5 text-warn no-underline">
                {seen.text}
              </span>
            ) : (
              seen.text
            ),
          )}
        </span>
      ))}
    </>
  )
}
