import { FileText, Lock, TriangleAlert } from 'lucide-react'
import { Suspense, lazy, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { cx } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'
import { savedText, shownText } from './drafts.ts'
import { fixesFor } from './editor/fixes-for.ts'
import { ProblemList, ProblemsToggle } from './editor/problem-list.tsx'
import { severityOf, suggestionName } from './problem-marks.ts'

import type { FileProblem } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { CodeEditorProps, EditorHandle } from './editor/code-editor.tsx'
import type { PlaceholderEffect } from './editor/placeholders.ts'
import type { LineProblem, ProblemWords } from './editor/problem-view.ts'
import type { KnownTool } from './editor/tools-colours.ts'
import type { ReactNode } from 'react'

type FileName = CodeEditorProps['file']

const CodeEditor = lazy(async () => ({ default: (await import('./editor/code-editor.tsx')).CodeEditor }))

/** How many problems a file has, the serious ones and the others. */
export function ProblemCount({ problems }: { problems: readonly FileProblem[] }) {
  const { t } = useTranslation('profiles')
  const bad = problems.filter((problem) => severityOf(problem.code) === 'bad').length
  const count = bad > 0 ? bad : problems.length
  if (count === 0) return null
  return (
    <span className={cx('flex items-center gap-1 text-small font-normal', bad > 0 ? 'text-danger' : 'text-warn')}>
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      {bad > 0 ? t('files.problems', { count }) : t('files.notes', { count })}
    </span>
  )
}

interface FileFrameProps {
  name: FileName
  problems: readonly FileProblem[]
  /** The same of single lines, in words. */
  marks: readonly LineProblem[]
  readOnly: boolean
  /** To the editor, when it is there. */
  handle: { readonly current: EditorHandle | null }
  notes?: readonly ReactNode[] | undefined
  /** At the right of the heading. */
  tail?: ReactNode
  className: string
  children: ReactNode
}

function WholeProblem({ problem }: { problem: FileProblem }) {
  const { t } = useTranslation('profiles')
  const { message, hint } = failureText(t, problem)
  const ground = severityOf(problem.code) === 'bad' ? 'bg-danger-soft' : 'bg-warn-soft'
  return (
    <p className={cx('shrink-0 px-3 py-1.5 text-small wrap-anywhere', ground)}>
      {message} {hint} <span className="mono text-ink-2">{problem.code}</span>
    </p>
  )
}

function FileFrame(props: FileFrameProps) {
  const { name, problems, marks, readOnly, handle, notes = [], tail, className, children } = props
  const { t } = useTranslation('profiles')
  const id = useId()
  const [listed, setListed] = useState(false)
  const isListed = listed && marks.length > 0
  const whole = problems.filter((problem) => problem.line === null)
  return (
    <section
      aria-label={name}
      className={cx(
        'flex shrink-0 flex-col overflow-hidden rounded-card border border-line bg-sunken outline-offset-1 outline-focus has-[.cm-focused]:outline-2',
        className,
      )}
    >
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line bg-raised py-0.5 pr-3 pl-2.5">
        <FileText aria-hidden="true" className="-mr-1.5 size-3.75 shrink-0" strokeWidth={1.8} />
        <h3 className="mono font-strong text-ink">{name}</h3>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3">
          {readOnly && (
            <span className="flex items-center gap-1 text-small text-ink-2">
              <Lock aria-hidden="true" className="size-3.5" />
              {t('files.readOnly')}
            </span>
          )}
          <span role="status" className="sr-only">
            <ProblemCount problems={problems} />
          </span>
          <ProblemsToggle problems={problems} open={isListed} controls={id} onToggle={() => setListed(!listed)} />
          {tail}
        </div>
      </header>
      {notes.filter(Boolean).map((note, index) => (
        <p key={index} className="shrink-0 border-b border-line bg-raised px-3 py-1.5 text-small text-ink-2 wrap-anywhere">
          {note}
        </p>
      ))}
      {whole.map((problem) => (
        <WholeProblem key={problem.code} problem={problem} />
      ))}
      {isListed && (
        <ProblemList
          id={id}
          file={name}
          problems={marks}
          readOnly={readOnly}
          onGo={(line) => handle.current?.goTo(line)}
          onFix={(line, fix) => {
            handle.current?.fix(line, fix)
            // The list goes with its last problem.
            if (marks.length === 1) handle.current?.goTo(line)
          }}
        />
      )}
      <div className="min-h-0 flex-1">{children}</div>
    </section>
  )
}

function useLineProblems(problems: readonly FileProblem[]): readonly LineProblem[] {
  const { t } = useTranslation(['profiles', 'editor'])
  return useMemo(
    () =>
      problems.flatMap((problem) => {
        if (problem.line === null) return []
        const { message, hint } = failureText(t, problem)
        const { suggestion, details, code, line } = problem
        // The new name of what was renamed is said already.
        const name = suggestion === undefined || code === 'tools/renamed' ? undefined : suggestionName(details?.['id'], suggestion)
        const advice = name === undefined ? hint : t('files.replaceWith', { id: name })
        const text = [message, advice].filter(Boolean).join(' ')
        const fixes = fixesFor(problem).map((fix) => ({ ...fix, label: t(`editor:fix.${fix.kind}`) }))
        return [{ line, severity: severityOf(code), text, code, fixes }]
      }),
    [problems, t],
  )
}

const NO_TOOLS: readonly KnownTool[] = []
const NO_EFFECTS: readonly PlaceholderEffect[] = []

export interface ProfileFileProps {
  draft: Draft
  file: FileName
  known?: readonly KnownTool[]
  effects?: readonly PlaceholderEffect[]
  /** Shown while the file is empty. */
  empty?: string
  notes?: readonly ReactNode[] | undefined
  tail?: ReactNode
  className: string
}

/** One file of a profile in its editor, with its problems. */
export function ProfileFile(props: ProfileFileProps) {
  const { draft, file, known = NO_TOOLS, effects = NO_EFFECTS, empty, notes, tail, className } = props
  const { t, i18n } = useTranslation(['profiles', 'editor'])
  const handle = useRef<EditorHandle | null>(null)
  const { document } = draft
  const { name } = document
  const readOnly = document.readOnlyFiles.includes(file) || draft.gone
  const problems = useMemo(() => draft.problems.filter((problem) => problem.file === file), [draft.problems, file])
  const marks = useLineProblems(problems)
  const words = useMemo<ProblemWords>(() => ({ line: (line) => t('files.line', { line }), keys: t('editor:problems.keys') }), [t])
  const { type, undo, redo, place, keepPlace } = useDrafts.getState()
  return (
    <FileFrame
      name={file}
      problems={problems}
      marks={marks}
      handle={handle}
      readOnly={document.readOnlyFiles.includes(file)}
      notes={notes}
      tail={tail}
      className={className}
    >
      <Suspense fallback={<p className="p-3 text-small text-ink-3">{t('files.loading')}</p>}>
        <CodeEditor
          key={`${name} ${i18n.language}`}
          file={file}
          text={shownText(draft, file)}
          saved={savedText(draft, file)}
          readOnly={readOnly}
          known={known}
          effects={effects}
          empty={empty}
          onReady={(ready) => {
            handle.current = ready
          }}
          problems={marks}
          words={words}
          onChange={(text, typed) => type(name, file, text, typed)}
          onUndo={() => void undo(name, file)}
          onRedo={() => void redo(name, file)}
          place={place(name, file)}
          onLeave={(left) => keepPlace(name, file, left)}
        />
      </Suspense>
    </FileFrame>
  )
}
