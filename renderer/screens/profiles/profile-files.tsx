import { FileText, Lock, TriangleAlert } from 'lucide-react'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { cx } from '../../components/index.ts'
import { useToasts } from '../../stores/toasts.ts'
import { useTools } from '../../stores/tools.ts'

import { useDrafts } from './draft-store.ts'
import { savedText, shownText } from './drafts.ts'
import { fixesFor } from './editor/fixes-for.ts'
import { usePromptTokens } from './meter/use-prompt-tokens.ts'
import { severityOf, suggestionName } from './problem-marks.ts'
import { PromptDialog } from './prompt/prompt-dialog.tsx'
import { VoiceChoice } from './voice-choice.tsx'

import type { FileProblem } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { CodeEditorProps } from './editor/code-editor.tsx'
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
  readOnly: boolean
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

function FileFrame({ name, problems, readOnly, notes = [], tail, className, children }: FileFrameProps) {
  const { t } = useTranslation('profiles')
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
        <span className="flex-1" />
        {readOnly && (
          <span className="flex items-center gap-1 text-small text-ink-2">
            <Lock aria-hidden="true" className="size-3.5" />
            {t('files.readOnly')}
          </span>
        )}
        <span role="status" className="empty:hidden">
          <ProblemCount problems={problems} />
        </span>
        {tail}
      </header>
      {notes.filter(Boolean).map((note, index) => (
        <p key={index} className="shrink-0 border-b border-line bg-raised px-3 py-1.5 text-small text-ink-2 wrap-anywhere">
          {note}
        </p>
      ))}
      {whole.map((problem) => (
        <WholeProblem key={problem.code} problem={problem} />
      ))}
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
        const name = suggestion === undefined ? undefined : suggestionName(details?.['id'], suggestion)
        const advice = name === undefined ? hint : t('files.replaceWith', { id: name })
        const text = [message, advice].filter(Boolean).join(' ')
        const fixes = fixesFor(problem).map((fix) => ({ ...fix, label: t(`editor:fix.${fix.kind}`) }))
        return [{ line, severity: severityOf(code), text, code, fixes }]
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
        .map(({ id, source, description }) => ({
          id,
          source,
          note: t(`source.${source}`),
          description: description.slice(0, MAX_DESCRIPTION),
        })),
    [list, t],
  )
}

/** Characters of a description beside the completion. */
const MAX_DESCRIPTION = 240
/** Tools that the prompt does not mention and that are named. */
const MAX_UNMENTIONED = 4
const NO_TOOLS: readonly KnownTool[] = []

interface ProfileFileProps {
  draft: Draft
  file: FileName
  known?: readonly KnownTool[]
  notes?: readonly ReactNode[] | undefined
  tail?: ReactNode
  className: string
}

function ProfileFile({ draft, file, known = NO_TOOLS, notes, tail, className }: ProfileFileProps) {
  const { t, i18n } = useTranslation(['profiles', 'editor'])
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

const LINK = 'rounded-tick text-small text-accent-ink underline underline-offset-2 hover:no-underline disabled:text-ink-3 disabled:no-underline'
/** A line that is nothing but a name in brackets. */
const PLACEHOLDER = /^[ \t]*\[[\w/-]+\][ \t]*\r?$/m

function InstructionsFile({ draft }: { draft: Draft }) {
  const { t, i18n } = useTranslation('editor')
  const [reading, setReading] = useState(false)
  const { tokens, unmentioned } = usePromptTokens(draft)
  const { name } = draft.document
  const text = shownText(draft, 'instructions.txt')
  const canWriteOut = PLACEHOLDER.test(text) && !draft.document.readOnlyFiles.includes('instructions.txt')
  const writeOut = async (): Promise<void> => {
    const answer = await attempt('profiles.writeOut', { name, text })
    const drafts = useDrafts.getState()
    if (answer.ok) drafts.type(name, 'instructions.txt', answer.value.text)
    const said = answer.ok ? t('prompt.writtenOut') : failureText(t, answer.error).message
    useToasts.getState().show({ text: said })
  }
  const more = unmentioned.length - MAX_UNMENTIONED
  const names = new Intl.ListFormat(i18n.language).format([
    ...unmentioned.slice(0, MAX_UNMENTIONED),
    ...(more > 0 ? [`+${more}`] : []),
  ])
  return (
    <>
      <ProfileFile
        draft={draft}
        file="instructions.txt"
        notes={[
          unmentioned.length > 0 && (
            <>
              {t('prompt.unmentioned')} <span className="mono">{names}</span>. {t('prompt.unmentionedHint')}
            </>
          ),
        ]}
        tail={
          <>
            {tokens !== null && (
              <span className="text-small text-ink-3">{t('tokens', { count: tokens })}</span>
            )}
            {canWriteOut && (
              <button type="button" className={LINK} onClick={() => void writeOut()}>
                {t('prompt.writeOut')}
              </button>
            )}
            <button type="button" className={LINK} onClick={() => setReading(true)}>
              {t('prompt.open')}
            </button>
          </>
        }
        className="min-h-48 flex-[3_1_0]"
      />
      {reading && <PromptDialog name={name} texts={draft.texts} onClose={() => setReading(false)} />}
    </>
  )
}

/** The files of a profile as they are, byte for byte. */
export function ProfileFiles({ draft, className }: { draft: Draft; className?: string }) {
  const { t } = useTranslation(['profiles', 'editor'])
  const known = useKnownTools(draft.document.name)
  return (
    <div className={cx('scroll-quiet -m-1 min-h-0 flex-col gap-3 overflow-y-auto p-1', className)}>
      <ProfileFile
        draft={draft}
        file="tools.txt"
        known={known}
        notes={[draft.texts['tools.txt'] === null && t('files.inherited')]}
        className="min-h-48 flex-[4_1_0]"
      />
      <InstructionsFile draft={draft} />
      <ProfileFile
        draft={draft}
        file="greeting.txt"
        notes={[shownText(draft, 'greeting.txt').trim() === '' && t('editor:greeting.none')]}
        tail={<VoiceChoice draft={draft} />}
        className="min-h-28 flex-[1_1_0]"
      />
    </div>
  )
}
