import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Banner, Button, Card, FailureBanner, Input } from '../../../components/index.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useInstall } from '../install-store.ts'
import { tellUndoable } from '../undo.ts'

import type { Failure, SpacesSnapshot } from '../../../../electron/contract/index.ts'
import type { SyntheticEvent } from 'react'

type EntryProblem = SpacesSnapshot['problems'][number]

function EditName({ entry, id, suggestion }: { entry: string; id: string; suggestion: string | undefined }) {
  const { t } = useTranslation('keep')
  const [text, setText] = useState(suggestion ?? entry)
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const ref = text.trim()
    if (ref !== '') void useInstall.getState().start(ref, undefined, { replaces: id })
  }
  return (
    <form onSubmit={submit} className="mt-2 flex max-w-md gap-2">
      <Input
        aria-label={t('problems.editLabel', { entry })}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{t('problems.lookUp')}</Button>
    </form>
  )
}

function Entry({ item, locked }: { item: EntryProblem; locked: boolean }) {
  const { t } = useTranslation('keep')
  const [editing, setEditing] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { entry, problem, id, suggestion } = item
  const { message, hint } = failureText(t, problem)
  const discard = async (): Promise<void> => {
    const answer = await attempt('spaces.discard', { id: id ?? '' })
    if (answer.ok) {
      useSpaces.getState().accept(answer.value.snapshot)
      tellUndoable(t('problems.removed', { entry }), answer.value.undoId)
    } else setFailure(answer.error)
  }
  return (
    <li className="py-2.5 not-first:border-t not-first:border-line">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-40 flex-1">
          <p className="mono break-all text-ink">{entry}</p>
          <p className="text-small wrap-anywhere text-ink-2">
            {message} {suggestion === undefined ? hint : t('problems.suggestion', { slug: suggestion })}
            <span className="mono ml-1.5 text-ink-3">{problem.code}</span>
          </p>
        </div>
        {id !== undefined && (
          <div className="flex flex-wrap gap-1.5">
            {suggestion !== undefined && (
              <Button
                size="s"
                aria-label={t('problems.repairNamed', { entry })}
                disabled={locked}
                onClick={() => void useInstall.getState().start(suggestion, undefined, { replaces: id })}
              >
                {t('problems.repair')}
              </Button>
            )}
            <Button
              size="s"
              variant="quiet"
              aria-label={t('problems.editNamed', { entry })}
              aria-expanded={editing}
              disabled={locked}
              onClick={() => setEditing(!editing)}
            >
              {t('problems.edit')}
            </Button>
            <Button
              size="s"
              variant="quiet"
              aria-label={t('problems.removeNamed', { entry })}
              disabled={locked}
              onClick={() => void discard()}
            >
              {t('problems.remove')}
            </Button>
          </div>
        )}
      </div>
      {editing && id !== undefined && <EditName entry={entry} id={id} suggestion={suggestion} />}
      {failure && <FailureBanner failure={failure} className="mt-2" />}
    </li>
  )
}

/** Entries of the list that cannot be used, each with what can be done about it. */
export function EntryProblems({ snapshot }: { snapshot: SpacesSnapshot }) {
  const { t } = useTranslation('keep')
  const { readOnly } = snapshot
  const problems = snapshot.problems.filter(({ id }) => id !== undefined || !readOnly)
  if (problems.length === 0) return null
  return (
    <Card className="max-w-[52rem] px-4 pt-3 pb-1">
      <h2 className="font-strong text-warn">{t('problems.title', { count: problems.length })}</h2>
      <ul className="mt-1">
        {problems.map((item) => (
          <Entry key={item.id ?? `${item.entry} ${item.problem.code}`} item={item} locked={readOnly} />
        ))}
      </ul>
    </Card>
  )
}

const folderOf = (file: string): string => file.replace(/[\\/][^\\/]*$/, '')

/** The list as a whole cannot be read: the ways back. */
export function UnreadableList({ snapshot }: { snapshot: SpacesSnapshot }) {
  const { t, i18n } = useTranslation('keep')
  const [busy, setBusy] = useState<'backup' | 'start' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { manifest, repair } = snapshot
  const whole = snapshot.problems.find(({ id }) => id === undefined)
  if (!snapshot.readOnly) return null
  if (!repair) {
    return (
      <Banner tone="danger" title={t('installed.readOnly', { ns: 'spaces' })}>
        {whole ? failureText(t, whole.problem).hint : t('installed.readOnlyText', { ns: 'spaces', path: manifest })}{' '}
        {whole && <span className="mono text-ink-3">{whole.problem.code}</span>}
      </Banner>
    )
  }
  const restore = async (from: 'backup' | 'start'): Promise<void> => {
    setBusy(from)
    setFailure(null)
    const answer = await attempt('spaces.restore', { from })
    setBusy(null)
    if (answer.ok) useSpaces.getState().accept(answer.value)
    else setFailure(answer.error)
  }
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <div className="grid max-w-[52rem] gap-3">
      <Banner tone="danger" title={t('unreadable.title')}>
        {t('unreadable.text')} <span className="mono text-ink-3">{whole?.problem.code ?? 'manifest/unreadable'}</span>
        <span className="mt-1 block break-all">{t('unreadable.kept', { folder: folderOf(manifest) })}</span>
        <span className="mt-2.5 flex flex-wrap items-center gap-2">
          {repair.backupAt === null ? (
            <span>{t('unreadable.noBackup')}</span>
          ) : (
            <Button
              className="max-w-full whitespace-normal"
              busy={busy === 'backup'}
              disabled={busy === 'start'}
              onClick={() => void restore('backup')}
            >
              {t('unreadable.backup', { when: when.format(repair.backupAt) })}
            </Button>
          )}
          <Button
            className="max-w-full whitespace-normal"
            busy={busy === 'start'}
            disabled={busy === 'backup'}
            onClick={() => void restore('start')}
          >
            {t('unreadable.start')}
          </Button>
        </span>
      </Banner>
      {failure && <FailureBanner failure={failure} />}
    </div>
  )
}
