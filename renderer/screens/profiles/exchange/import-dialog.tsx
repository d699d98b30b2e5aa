import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { Button, CheckBox, Dialog, FailureBanner, Field, Input, Segmented, Skeleton, cx } from '../../../components/index.ts'
import { useProfiles } from '../../../stores/profiles.ts'
import { useTools } from '../../../stores/tools.ts'
import { useDrafts } from '../draft-store.ts'
import { tellUndoable } from '../profile-actions.ts'

import { useExchangeMemory } from './memory.ts'
import { firstPick, pickFault } from './picks.ts'

import type {
  Failure,
  FileProblem,
  ImportCandidate,
  ImportPreview,
  ProfileSummary,
} from '../../../../electron/contract/index.ts'
import type { Pick } from './picks.ts'
import type { SyntheticEvent } from 'react'

export interface ImportDialogProps {
  source: 'folder' | 'zip' | 'hub'
  profiles: readonly ProfileSummary[]
  onClose: () => void
}

function Problems({ problems }: { problems: readonly FileProblem[] }) {
  const { t } = useTranslation('exchange')
  const lines = problems.map((problem) => {
    const at = problem.line === null ? problem.file : `${problem.file}:${problem.line}`
    return `${at}: ${failureText(t, problem).message}`
  })
  return (
    <ul className="grid gap-0.5 text-small text-ink-2">
      {[...new Set(lines)].map((line) => (
        <li key={line} className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  )
}

interface CandidateProps {
  candidate: ImportCandidate
  pick: Pick
  fault: string | undefined
  onChange: (pick: Pick) => void
}

function Candidate({ candidate, pick, fault, onChange }: CandidateProps) {
  const { t } = useTranslation('exchange')
  const tools = useTools((state) => Object.values(state.lists)[0]?.tools)
  const note = useId()
  const { name, originalName, format, differs, toolIds, excerpt, toolFiles, problems } = candidate
  const known = new Set((tools ?? []).map(({ id }) => id))
  const unknown = known.size === 0 ? 0 : toolIds.filter((id) => !known.has(id)).length
  const facts = [
    t('tools', { count: toolIds.length }),
    ...(unknown > 0 ? [t('unknown', { count: unknown })] : []),
    ...(originalName === undefined ? [] : [t('was', { name: originalName })]),
  ]
  return (
    <li className="grid gap-2.5 px-4 py-3 not-first:border-t not-first:border-line">
      <div className="flex items-start gap-3">
        <div className="pt-2">
          <CheckBox label={t('take', { name })} checked={pick.take} onChange={(take) => onChange({ ...pick, take })} />
        </div>
        <div className="min-w-0 flex-1">
          <Input
            aria-label={t('name', { name })}
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={note}
            value={pick.name}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ ...pick, name: event.target.value.trim(), take: true })}
          />
          <p id={note} className={cx('mt-1 text-small', fault === undefined ? 'text-ink-3' : 'text-danger')}>
            {fault ?? facts.join(' · ')}
          </p>
        </div>
      </div>
      {excerpt !== '' && <p className="line-clamp-3 pl-7.5 text-small text-ink-2 wrap-anywhere">{excerpt}</p>}
      {format === 'both' && (
        <div className="grid justify-items-start gap-1.5 pl-7.5">
          <p className="text-small text-ink-2">{differs === true ? t('differs') : t('same')}</p>
          <Segmented
            label={t('format.label')}
            value={pick.format}
            onChange={(chosen) => onChange({ ...pick, format: chosen })}
            options={[
              { value: 'txt', label: t('format.txt') },
              { value: 'profile-md', label: t('format.profile-md') },
            ]}
          />
        </div>
      )}
      {toolFiles.length > 0 && (
        <div className="flex items-start gap-3 pl-7.5">
          <CheckBox
            label={t('toolFiles', { count: toolFiles.length })}
            checked={pick.withToolFiles}
            onChange={(withToolFiles) => onChange({ ...pick, withToolFiles })}
          />
          <p className="min-w-0 text-small text-ink-2">
            {t('toolFiles', { count: toolFiles.length })}:{' '}
            <span className="mono wrap-anywhere text-ink">{toolFiles.join(', ')}</span>. {t('toolFilesNote')}
          </p>
        </div>
      )}
      {problems.length > 0 && (
        <div className="pl-7.5">
          <Problems problems={problems} />
        </div>
      )}
    </li>
  )
}

/** Reads what there is to import: a native dialog for folder and zip, a field for a repository. */
function useSource(source: ImportDialogProps['source'], onNone: () => void) {
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [looking, setLooking] = useState(source !== 'hub')
  const operation = useRef<string | null>(null)
  const asked = useRef(false)
  useEffect(() => {
    if (source === 'hub' || asked.current) return
    asked.current = true
    void attempt('profiles.chooseImport', { kind: source }).then((answer) => {
      setLooking(false)
      if (!answer.ok) setFailure(answer.error)
      else if (answer.value.preview === null) onNone()
      else setPreview(answer.value.preview)
    })
  }, [source, onNone])
  const stop = (): void => {
    if (operation.current !== null) void attempt('profiles.cancelImport', { operationId: operation.current })
  }
  const look = async (ref: string): Promise<void> => {
    stop()
    const operationId = crypto.randomUUID()
    operation.current = operationId
    setLooking(true)
    setFailure(null)
    const answer = await attempt('profiles.readHub', { operationId, ref })
    if (operation.current !== operationId) return
    operation.current = null
    setLooking(false)
    if (answer.ok) setPreview(answer.value)
    else if (answer.error.code !== 'app/cancelled') setFailure(answer.error)
  }
  return { preview, failure, looking, look, stop, setFailure }
}

function Repository({ looking, onLook }: { looking: boolean; onLook: (ref: string) => void }) {
  const { t } = useTranslation('exchange')
  const { repository, setRepository } = useExchangeMemory()
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (repository.trim() !== '') onLook(repository.trim())
  }
  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <Field label={t('hub.label')} hint={t('hub.hint')} className="min-w-0 flex-1">
        {(control) => (
          <Input
            {...control}
            data-autofocus=""
            value={repository}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setRepository(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" busy={looking} className="mt-6">
        {t('hub.look')}
      </Button>
    </form>
  )
}

/** Takes profiles over from a folder, a zip or a repository, after each was shown. */
export function ImportDialog({ source, profiles, onClose }: ImportDialogProps) {
  const { t } = useTranslation('exchange')
  const { t: ofProfiles } = useTranslation('profiles')
  useReturnFocus(true)
  const { preview, failure, looking, look, stop, setFailure } = useSource(source, onClose)
  const [changed, setChanged] = useState<ReadonlyMap<string, Pick>>(new Map())
  const [busy, setBusy] = useState(false)
  const [notes, setNotes] = useState<{ names: string; problems: readonly FileProblem[] } | null>(null)
  const candidates = preview?.profiles ?? []
  const picks = new Map(candidates.map((one) => [one.key, changed.get(one.key) ?? firstPick(one)]))
  const taken = profiles.map(({ name }) => name)
  const faults = new Map(
    candidates.map(({ key }) => {
      const fault = pickFault(key, picks, taken)
      return [key, fault === null ? undefined : fault === 'device' ? ofProfiles('nameFault.device') : ofProfiles(`create.${fault}`)]
    }),
  )
  const chosen = candidates.filter(({ key }) => picks.get(key)?.take)
  const ready = chosen.length > 0 && chosen.every(({ key }) => faults.get(key) === undefined)

  const close = (): void => {
    stop()
    onClose()
  }
  const take = async (): Promise<void> => {
    if (!preview || !ready) return
    setBusy(true)
    const answer = await attempt('profiles.import', {
      importId: preview.importId,
      picks: chosen.map(({ key, format }) => {
        const pick = picks.get(key) ?? firstPick(candidates.find((one) => one.key === key) as ImportCandidate)
        const { name, withToolFiles } = pick
        return { key, name, withToolFiles, ...(format === 'both' ? { format: pick.format } : {}) }
      }),
    })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.error)
      return
    }
    const { snapshot, imported, problems, undoId } = answer.value
    useProfiles.getState().accept(snapshot)
    const [first] = imported
    if (first !== undefined) useDrafts.getState().select(first)
    const names = imported.join(', ')
    tellUndoable(t('done', { names }), undoId)
    if (problems.length > 0) setNotes({ names, problems })
    else onClose()
  }

  if (notes) {
    return (
      <Dialog
        open
        title={t('title')}
        onClose={onClose}
        foot={
          <Button variant="primary" data-autofocus="" onClick={onClose}>
            {t('close')}
          </Button>
        }
      >
        <p className="mb-2 font-strong">{t('notes', { names: notes.names })}</p>
        <Problems problems={notes.problems} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      title={t('title')}
      description={preview ? t('from', { from: preview.from }) : source === 'hub' ? t('hub.text') : undefined}
      onClose={close}
      locked={busy}
      foot={
        <>
          <Button onClick={close} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button variant="primary" busy={busy} disabled={!ready} onClick={() => void take()}>
            {t('submit', { count: chosen.length })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {source === 'hub' && <Repository looking={looking} onLook={(ref) => void look(ref)} />}
        {failure && <FailureBanner failure={failure} />}
        {looking && (
          <div role="status" className="grid gap-2">
            <p className="text-ink-2">{t('looking')}</p>
            <Skeleton className="h-20" />
          </div>
        )}
        {preview && candidates.length === 0 && <p className="text-ink-2">{t('none')}</p>}
        {candidates.length > 0 && (
          <ul className="rounded-card border border-line">
            {candidates.map((candidate) => (
              <Candidate
                key={candidate.key}
                candidate={candidate}
                pick={picks.get(candidate.key) ?? firstPick(candidate)}
                fault={faults.get(candidate.key)}
                onChange={(pick) => setChanged(new Map(changed).set(candidate.key, pick))}
              />
            ))}
          </ul>
        )}
        {preview && preview.refused.length > 0 && (
          <section aria-label={t('refused', { count: preview.refused.length })} className="rounded-card bg-warn-soft px-4 py-3">
            <h3 className="mb-1 font-strong">{t('refused', { count: preview.refused.length })}</h3>
            <Problems problems={preview.refused.map(({ entry, problem }) => ({ file: entry, line: null, ...problem }))} />
          </section>
        )}
      </div>
    </Dialog>
  )
}
