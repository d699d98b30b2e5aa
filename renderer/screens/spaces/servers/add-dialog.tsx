import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { Banner, Button, Dialog, FailureBanner, MultiSelect, Spinner } from '../../../components/index.ts'
import { useProfiles } from '../../../stores/profiles.ts'
import { lastProfiles, profilesAtFirst } from '../profile-choice.ts'

import { AddForm } from './add-form.tsx'
import { ConfirmProgram } from './confirm-program.tsx'
import { LastWords } from './last-words.tsx'
import { draftOf, isComplete } from './server-fields.ts'
import { ServerOffers } from './server-offers.tsx'
import { useServerDialogs } from './server-store.ts'

import type { ServerTarget } from '../../../../electron/contract/index.ts'
import type { Adding } from './server-store.ts'

function useTargets(adding: Adding): { names: readonly string[]; chosen: readonly string[] } {
  const snapshot = useProfiles((state) => state.snapshot)
  const names = (snapshot?.profiles ?? [])
    .filter((profile) => !profile.hidden && !profile.problem)
    .map((profile) => profile.name)
  return { names, chosen: adding.profiles ?? profilesAtFirst(snapshot?.active, names, lastProfiles()) }
}

function targetOf({ fields, fixed }: Adding): ServerTarget | null {
  if (fixed !== null) return fixed.target
  const read = draftOf(fields)
  return 'draft' in read ? read.draft.target : null
}

function EnableIn({ adding }: { adding: Adding }) {
  const { t } = useTranslation('servers')
  const id = useId()
  const { names, chosen } = useTargets(adding)
  if (!adding.preview) return null
  const [only] = chosen
  const label = t('dialog.enableIn', { ns: 'spaces' })
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-ink-2">
        {label}
      </label>
      <MultiSelect
        id={id}
        label={label}
        values={chosen}
        disabled={adding.phase === 'installing'}
        onChange={(next) => useServerDialogs.getState().enableIn(next)}
        options={names.map((name) => ({ value: name, label: name }))}
        summary={
          only === undefined
            ? t('install.noProfile', { ns: 'keep' })
            : chosen.length === 1
              ? only
              : t('install.profiles', { ns: 'keep', count: chosen.length })
        }
        className="w-52"
      />
    </div>
  )
}

function Foot({ adding }: { adding: Adding }) {
  const { t } = useTranslation('servers')
  const { cancel, back, next, look, install } = useServerDialogs.getState()
  const { chosen: profiles } = useTargets(adding)
  const { phase, fields, fixed } = adding
  const isProgram = targetOf(adding)?.kind === 'stdio' || fields.kind === 'stdio'
  return (
    <>
      <Button disabled={phase === 'installing'} onClick={cancel}>
        {t('cancel', { ns: 'common' })}
      </Button>
      {(phase === 'confirm' || phase === 'choosing') && fixed === null && (
        <Button onClick={back}>{t('dialog.back')}</Button>
      )}
      {phase === 'form' && (
        <Button variant="primary" disabled={!isComplete(fields)} onClick={() => void next()}>
          {isProgram ? t('dialog.next') : t('dialog.connect')}
        </Button>
      )}
      {phase === 'confirm' && (
        <Button variant="primary" onClick={() => void look()}>
          {t('dialog.start')}
        </Button>
      )}
      {phase === 'looking' && (
        <Button variant="primary" busy>
          {isProgram ? t('dialog.start') : t('dialog.connect')}
        </Button>
      )}
      {(phase === 'choosing' || phase === 'installing') && (
        <Button variant="primary" busy={phase === 'installing'} onClick={() => void install(profiles)}>
          {t('dialog.install')}
        </Button>
      )}
    </>
  )
}

function Body({ adding }: { adding: Adding }) {
  const { t } = useTranslation('servers')
  const { phase, fields, fixed, failure, preview, chosen } = adding
  const target = targetOf(adding)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {failure && <FailureBanner failure={failure} />}
      {failure && <LastWords failure={failure} />}
      {preview ? (
        <ServerOffers preview={preview} chosen={chosen} disabled={phase === 'installing'} />
      ) : phase === 'looking' ? (
        <>
          <p role="status" className="flex items-center gap-2.5">
            <Spinner />
            {t(target?.kind === 'stdio' ? 'dialog.starting' : 'dialog.looking', { name: fields.name.trim() })}
          </p>
          <Banner>{t('dialog.untouched')}</Banner>
        </>
      ) : phase === 'confirm' && target?.kind === 'stdio' ? (
        <ConfirmProgram target={target} />
      ) : (
        <>
          {fixed && <Banner>{t('dialog.fixed')}</Banner>}
          <AddForm adding={adding} disabled={fixed !== null} />
        </>
      )}
    </div>
  )
}

function OneServer({ adding }: { adding: Adding }) {
  const { t } = useTranslation('servers')
  const { phase, fields } = adding
  const name = fields.name.trim()
  return (
    <Dialog
      open
      title={phase === 'form' ? t('dialog.title') : t('dialog.titleNamed', { name })}
      width={phase === 'form' ? 'm' : 'l'}
      locked={phase === 'installing'}
      onClose={() => useServerDialogs.getState().cancel()}
      footLead={<EnableIn adding={adding} />}
      foot={<Foot adding={adding} />}
    >
      <Body adding={adding} />
    </Dialog>
  )
}

/** The dialog of the server that is being added, if there is one. */
export function AddServerDialog() {
  const adding = useServerDialogs((state) => state.adding)
  useReturnFocus(adding !== null, () => document.querySelector<HTMLElement>('[data-region="sheet"] h1'))
  return adding && <OneServer adding={adding} />
}
