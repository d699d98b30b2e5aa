import { cutAtSpans, seenParts } from './review/text-marks.ts'

import type { Span } from './review/text-marks.ts'

/** A stranger's text as it is: invisible characters by their codes, odd places underlined. */
export function SeenText({ text, spans = [], offset = 0 }: { text: string; spans?: readonly Span[]; offset?: number }) {
  return (
    <>
      {cutAtSpans(text, offset, spans).map((part, i) => (
        <span
          key={i}
          className={
            part.odd ? 'underline decoration-warn decoration-wavy decoration-1 underline-offset-[0.2em]' : undefined
          }
        >
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
