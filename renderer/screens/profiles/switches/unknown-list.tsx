import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { Button } from '../../../components/index.ts'
import { useDrafts } from '../draft-store.ts'
import { shownTools } from '../drafts.ts'

import { replaceOnLine, unknownLines } from './unknown-lines.ts'

import type { Draft } from '../drafts.ts'
import type { UnknownLine } from './unknown-lines.ts'

function Line({ draft, unknown, readOnly }: { draft: Draft; unknown: UnknownLine; readOnly: boolean }) {
  const { t } = useTranslation('local')
  const { line, id, problem } = unknown
  const { suggestion } = problem
  const { name } = draft.document
  const { message } = failureText(t, problem)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line py-2 pl-1">
      <p className="mono break-all text-ink">
        {id} <span className="font-sans text-small text-ink-3">{t('unknown.line', { line })}</span>
      </p>
      <p className="text-small wrap-anywhere text-ink-2">{message}</p>
      {suggestion !== undefined && (
        <p className="text-small wrap-anywhere text-ink-2">
          {t('files.replaceWith', { ns: 'profiles', id: suggestion })}
        </p>
      )}
      {!readOnly && (
        <div className="flex flex-wrap gap-2 pt-0.5">
          {suggestion !== undefined && (
            <Button
              size="s"
              aria-label={t('unknown.replaceNamed', { id, to: suggestion })}
              onClick={() =>
                useDrafts.getState().type(name, 'tools.txt', replaceOnLine(shownTools(draft), line, id, suggestion))
              }
            >
              {t('files.replace', { ns: 'profiles' })}
            </Button>
          )}
          <Button
            size="s"
            variant={suggestion === undefined ? 'secondary' : 'quiet'}
            aria-label={t('unknown.removeNamed', { id })}
            onClick={() => useDrafts.getState().press(name, id, false)}
          >
            {t('files.removeLine', { ns: 'profiles' })}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Lines of tools.txt that name nothing known, with what can be done about each. */
export function UnknownList({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const { t } = useTranslation('local')
  const id = useId()
  const lines = unknownLines(draft.problems)
  if (lines.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <header className="flex items-center gap-2 pb-1">
        <span className="inline-grid size-5.5 shrink-0 place-items-center rounded-md bg-sunken text-warn">
          <TriangleAlert aria-hidden="true" className="size-3.75" />
        </span>
        <h3 id={id} className="min-w-0 flex-1 font-strong">
          {t('unknown.title')}
        </h3>
        <span className="text-small text-ink-3">{lines.length}</span>
      </header>
      <ul>
        {lines.map((unknown) => (
          <Line key={`${unknown.line} ${unknown.id}`} draft={draft} unknown={unknown} readOnly={readOnly} />
        ))}
      </ul>
    </section>
  )
}
