import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../../app/failure-text.ts'
import { Badge, Button, Dialog, FailureBanner, Field, TextArea } from '../../../components/index.ts'

import { isEditable, placeOf } from './server-fields.ts'
import { useServerDialogs } from './server-store.ts'

import type { ServerImport } from '../../../../electron/contract/index.ts'

/** As the route takes it. */
const MOST_BYTES = 1_000_000

type Draft = ServerImport['drafts'][number]

function DraftRow({ found, added }: { found: Draft; added: boolean }) {
  const { t } = useTranslation('servers')
  const { draft, problem, secrets, bearer } = found
  const reason = problem ? failureText(t, problem) : null
  const open = (): void =>
    useServerDialogs.getState().open(draft, {
      leftOut: secrets,
      importedToken: bearer === true,
      fixed: !isEditable(draft),
      confirm: !isEditable(draft),
    })
  return (
    <li className="flex items-start gap-3 px-3 py-2.5 not-first:border-t not-first:border-line">
      <div className="min-w-0 flex-1">
        <p className="font-strong break-all">{draft.name}</p>
        <p className="mono break-all text-ink-2">{placeOf(draft.target)}</p>
        {secrets.length > 0 && (
          <p className="text-small wrap-anywhere text-warn">{t('dialog.leftOut', { names: secrets.join(', ') })}</p>
        )}
        {bearer === true && <p className="text-small text-ink-2">{t('importing.bearer')}</p>}
        {reason && <p className="text-small wrap-anywhere text-warn">{reason.message}</p>}
      </div>
      {added ? (
        <Badge tone="success">{t('importing.added')}</Badge>
      ) : (
        <Button size="s" aria-label={t('importing.addNamed', { name: draft.name })} onClick={open}>
          {t('importing.add')}
        </Button>
      )}
    </li>
  )
}

function Found({ read, added }: { read: ServerImport; added: readonly string[] }) {
  const { t } = useTranslation('servers')
  return (
    <>
      {read.drafts.length > 0 ? (
        <ul aria-label={t('importing.found')} className="rounded-card border border-line">
          {read.drafts.map((found) => (
            <DraftRow key={found.draft.name} found={found} added={added.includes(found.draft.name)} />
          ))}
        </ul>
      ) : (
        read.failure === undefined && <p className="text-ink-2">{t('importing.none')}</p>
      )}
      {read.problems.length > 0 && (
        <section aria-label={t('importing.bad')}>
          <h3 className="font-strong">{t('importing.bad')}</h3>
          <ul className="mt-1 grid gap-1 text-small text-ink-2">
            {read.problems.map(({ entry, problem }) => (
              <li key={`${entry} ${problem.code}`} className="wrap-anywhere">
                <span className="mono text-ink">{entry}</span> {failureText(t, problem).message}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Takes servers over from the list of another program, one by one. */
export function ImportServersDialog() {
  const { t } = useTranslation('servers')
  const importing = useServerDialogs((state) => state.importing)
  const hidden = useServerDialogs((state) => state.adding !== null)
  const [tooLarge, setTooLarge] = useState(false)
  if (!importing || hidden) return null
  const { setImportText, readImport, closeImport } = useServerDialogs.getState()
  const take = async (file: File | undefined): Promise<void> => {
    setTooLarge(file !== undefined && file.size > MOST_BYTES)
    if (file === undefined || file.size > MOST_BYTES) return
    setImportText(await file.text())
    await readImport()
  }
  return (
    <Dialog
      open
      title={t('importing.title')}
      description={t('importing.text')}
      width="l"
      onClose={closeImport}
      foot={
        <>
          <Button onClick={closeImport}>{t('close', { ns: 'common' })}</Button>
          <Button variant="primary" disabled={importing.text.trim() === ''} onClick={() => void readImport()}>
            {t('importing.read')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Field label={t('importing.open')} error={tooLarge ? t('importing.tooLarge') : undefined}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".json,.jsonc,application/json"
              className="text-small"
              onChange={(event) => void take(event.target.files?.[0])}
            />
          )}
        </Field>
        <Field label={t('importing.field')}>
          {(control) => (
            <TextArea
              {...control}
              data-autofocus=""
              rows={importing.read ? 4 : 10}
              maxLength={MOST_BYTES}
              value={importing.text}
              spellCheck={false}
              className="mono"
              onChange={(event) => setImportText(event.target.value)}
            />
          )}
        </Field>
        {importing.failure && <FailureBanner failure={importing.failure} />}
        {importing.read && <Found read={importing.read} added={importing.added} />}
      </div>
    </Dialog>
  )
}
