import { FileText, Lock, TriangleAlert } from 'lucide-react'
import { Suspense, lazy, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { cx } from '../../components/index.ts'
import { useTools } from '../../stores/tools.ts'

import { useDrafts } from './draft-store.ts'
import { shownTools } from './drafts.ts'
import { canRemoveLine, severityOf, suggestionName } from './problem-marks.ts'

import type { FileProblem } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { CodeEditorProps, EditorHandle, EditorHistory } from './editor/code-editor.tsx'
import type { LineProblem, ProblemWords } from './editor/problem-view.ts'
import type { KnownTool } from './editor/tools-colours.ts'
import type { ReactNode } from 'react'

export type FileName = CodeEditorProps['file']

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
  readOnly: boolean
  note?: ReactNode
  className?: string
  children: ReactNode
}

function FileFrame({ name, problems, readOnly, note, className, children }: FileFrameProps) {
  const { t } = useTranslation('profiles')
  const whole = problems.filter((problem) => problem.line === null)
  return (
    <section
      aria-label={name}
      className={cx('flex min-h-0 flex-col overflow-hidden rounded-card border border-line bg-sunken outline-offset-1 outline-focus has-[.cm-focused]:outline-2', className)}
    >
      <header className="flex min-h-9 shrink-0 items-center gap-1.5 border-b border-line bg-raised pr-3 pl-2.5">
        <FileText aria-hidden="true" className="size-3.75 shrink-0" strokeWidth={1.8} />
        <h3 className="mono font-strong text-ink">{name}</h3>
        <span className="flex-1" />
        {readOnly && (
          <span className="flex items-center gap-1 text-small text-ink-2">
            <Lock aria-hidden="true" className="size-3.5" />
            {t('files.readOnly')}
          </span>
        )}
        <span role="status">
          <ProblemCount problems={problems} />
        </span>
      </header>
      {note && <p className="shrink-0 border-b border-line bg-raised px-3 py-1.5 text-small text-ink-2">{note}</p>}
      {whole.map((problem) => {
        const { message, hint } = failureText(t, problem)
        const bad = severityOf(problem.code) === 'bad'
        return (
          <p
            key={problem.code}
            className={cx('shrink-0 px-3 py-1.5 text-small', bad ? 'bg-danger-soft' : 'bg-warn-soft')}
          >
            {message} {hint} <span className="mono text-ink-2">{problem.code}</span>
          </p>
        )
      })}
      <div className="min-h-0 flex-1">{children}</div>
    </section>
  )
}

function useWords(): ProblemWords {
  const { t } = useTranslation('profiles')
  return useMemo(
    () => ({
      line: (line) => t('files.line', { line }),
      replace: t('files.replace'),
      removeLine: t('files.removeLine'),
    }),
    [t],
  )
}

function useLineProblems(problems: readonly FileProblem[]): readonly LineProblem[] {
  const { t } = useTranslation('profiles')
  return useMemo(
    () =>
      problems.flatMap((problem) => {
        if (problem.line === null) return []
        const { message, hint } = failureText(t, problem)
        const { suggestion } = problem
        const advice = suggestion === undefined ? hint : t('files.replaceWith', { id: suggestionName(problem.details?.['id'], suggestion) })
        return [
          {
            line: problem.line,
            severity: severityOf(problem.code),
            text: [message, advice].filter(Boolean).join(' '),
            code: problem.code,
            replacement: suggestion,
            removable: canRemoveLine(problem),
          },
        ]
      }),
    [problems, t],
  )
}

function useKnownTools(profile: string): readonly KnownTool[] {
  const { t } = useTranslation('common')
  const list = useTools((state) => state.lists[profile])
  return useMemo(
    () =>
      (list?.tools ?? [])
        .filter((tool) => !tool.system)
        .map((tool) => ({ id: tool.id, source: tool.source, note: t(`source.${tool.source}`) })),
    [list, t],
  )
}

const NONE: readonly FileProblem[] = []
const NO_TOOLS: readonly KnownTool[] = []

export interface ProfileFilesProps {
  draft: Draft
  onReady: (file: FileName, handle: EditorHandle) => void
  onUsed: (file: FileName, history: EditorHistory) => void
  className?: string
}

/** The two files of a profile as they are, byte for byte. */
export function ProfileFiles({ draft, onReady, onUsed, className }: ProfileFilesProps) {
  const { t, i18n } = useTranslation('profiles')
  const { document, instructionsText } = draft
  const { name, readOnlyFiles } = document
  const { typeTools, typeInstructions } = useDrafts.getState()
  const words = useWords()
  const known = useKnownTools(name)
  // The main process looks at instructions.txt when it reads it: what it said holds for that text only.
  const inInstructions = useMemo(
    () =>
      instructionsText === document.instructionsText
        ? document.problems.filter((problem) => problem.file === 'instructions.txt')
        : NONE,
    [document, instructionsText],
  )
  // Of a file that cannot be read as a whole there is no draft to be diagnosed.
  const inTools = useMemo(() => {
    const whole = document.problems.filter((problem) => problem.file === 'tools.txt' && problem.line === null)
    const said = new Set(draft.problems.map(({ code, line }) => `${code} ${line}`))
    return [...whole.filter(({ code, line }) => !said.has(`${code} ${line}`)), ...draft.problems]
  }, [document, draft.problems])
  const toolMarks = useLineProblems(inTools)
  const instructionMarks = useLineProblems(inInstructions)
  const editorKey = `${name} ${i18n.language}`
  const waiting = <p className="p-3 text-small text-ink-3">{t('files.loading')}</p>

  return (
    <div className={cx('min-h-0 flex-col gap-3', className)}>
      <FileFrame
        name="tools.txt"
        problems={inTools}
        readOnly={readOnlyFiles.includes('tools.txt')}
        note={draft.toolsText === null ? t('files.inherited') : undefined}
        className="min-h-40 flex-[4_1_0]"
      >
        <Suspense fallback={waiting}>
          <CodeEditor
            key={editorKey}
            file="tools.txt"
            text={shownTools(draft)}
            saved={document.toolsText ?? document.inheritedToolsText}
            readOnly={readOnlyFiles.includes('tools.txt')}
            known={known}
            problems={toolMarks}
            words={words}
            onChange={(text) => typeTools(name, text)}
            onReady={(handle) => onReady('tools.txt', handle)}
            onUsed={(history) => onUsed('tools.txt', history)}
          />
        </Suspense>
      </FileFrame>
      <FileFrame
        name="instructions.txt"
        problems={inInstructions}
        readOnly={readOnlyFiles.includes('instructions.txt')}
        className="min-h-40 flex-[3_1_0]"
      >
        <Suspense fallback={waiting}>
          <CodeEditor
            key={editorKey}
            file="instructions.txt"
            text={instructionsText}
            saved={document.instructionsText}
            readOnly={readOnlyFiles.includes('instructions.txt')}
            known={NO_TOOLS}
            problems={instructionMarks}
            words={words}
            onChange={(text) => typeInstructions(name, text)}
            onReady={(handle) => onReady('instructions.txt', handle)}
            onUsed={(history) => onUsed('instructions.txt', history)}
          />
        </Suspense>
      </FileFrame>
    </div>
  )
}
