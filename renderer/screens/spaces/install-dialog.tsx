import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { useReturnFocus } from '../../app/use-return-focus.ts'
import { Banner, Button, Dialog, FailureBanner, MultiSelect } from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useInstalls } from '../../stores/spaces.ts'

import { InstallPreview } from './install-preview.tsx'
import { InstallScale, InstallSteps } from './install-steps.tsx'
import { useInstall } from './install-store.ts'
import { shownSteps, slugOf, usableIds } from './preview-facts.ts'
import { lastProfiles, profilesAtFirst } from './profile-choice.ts'
import { Publisher, SpaceEmoji, SpaceMeta, StageWords } from './space-parts.tsx'

import type { Installation } from './install-store.ts'

/** Profiles that can take lines, and those that the tools will be switched on in: what was chosen, else what is usual. */
function useTargets(installation: Installation): { names: readonly string[]; chosen: readonly string[] } {
  const snapshot = useProfiles((state) => state.snapshot)
  const names = (snapshot?.profiles ?? [])
    .filter((profile) => !profile.hidden && !profile.problem)
    .map((profile) => profile.name)
  const chosen = installation.profiles ?? profilesAtFirst(snapshot?.active, names, lastProfiles())
  return { names, chosen }
}

function Head({ installation, slug }: { installation: Installation; slug: string }) {
  const { t } = useTranslation('spaces')
  const { card, preview } = installation
  const title = preview?.title ?? card?.title
  const from = preview ?? card
  return (
    <div className="flex min-w-0 items-start gap-3">
      <SpaceEmoji large emoji={preview?.emoji ?? card?.emoji} />
      <div className="min-w-0 flex-1">
        <p aria-hidden="true" className="text-title leading-6 font-strong tracking-title wrap-anywhere">
          {title ?? slug}
        </p>
        {title !== undefined && <p className="mono break-all text-ink-2">{slug}</p>}
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
          {from && <Publisher author={from.author} official={from.official} />}
          {card && <StageWords stage={card.stage} />}
          {card && <SpaceMeta hardware={card.hardware} likes={card.likes} />}
          {preview && (
            <button type="button" className="link" onClick={() => void attempt('app.openSpacePage', { slug })}>
              {t('dialog.page')}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function Foot({ installation, profiles }: { installation: Installation; profiles: readonly string[] }) {
  const { t } = useTranslation('spaces')
  const { cancel, again, toBackground, install } = useInstall.getState()
  const { phase, preview } = installation
  const cancelButton = (
    <Button disabled={phase === 'installing'} onClick={() => cancel()}>
      {t('cancel', { ns: 'common' })}
    </Button>
  )
  if (phase === 'failed') {
    return (
      <>
        {cancelButton}
        <Button variant="primary" data-autofocus="" onClick={() => void again()}>
          {t('retry', { ns: 'common' })}
        </Button>
      </>
    )
  }
  if (!preview) {
    return (
      <>
        <Button onClick={toBackground}>{t('install.background', { ns: 'keep' })}</Button>
        {cancelButton}
      </>
    )
  }
  const nothing = usableIds(preview).length === 0
  return (
    <>
      {cancelButton}
      <Button variant="primary" busy={phase === 'installing'} disabled={nothing} onClick={() => void install(profiles)}>
        {t('dialog.install')}
      </Button>
    </>
  )
}

function EnableIn({ installation }: { installation: Installation }) {
  const { t } = useTranslation('spaces')
  const id = useId()
  const { names, chosen: targets } = useTargets(installation)
  const { preview, chosen, phase } = installation
  if (!preview || phase === 'failed') return null
  const usable = usableIds(preview)
  const count = usable.filter((tool) => chosen.has(tool)).length
  const [only] = targets
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-ink-2">
        {t('dialog.enableIn')}
      </label>
      <MultiSelect
        id={id}
        label={t('dialog.enableIn')}
        values={targets}
        disabled={phase === 'installing'}
        onChange={(next) => useInstall.getState().enableIn(next)}
        options={names.map((name) => ({ value: name, label: name }))}
        summary={
          only === undefined
            ? t('install.noProfile', { ns: 'keep' })
            : targets.length === 1
              ? only
              : t('install.profiles', { ns: 'keep', count: targets.length })
        }
        className="w-52"
      />
      <span className="text-small text-ink-3">{t('dialog.usable', { chosen: count, count: usable.length })}</span>
    </div>
  )
}

/** The dialog of one installation: five steps, then what it would add, then the answer. */
function OneInstallation({ installation }: { installation: Installation }) {
  const { t } = useTranslation('spaces')
  const progress = useInstalls((state) => state.installs[installation.operationId])
  const { chosen: profiles } = useTargets(installation)
  const { phase, preview, card, failure, byLink } = installation
  const slug = preview || card ? slugOf(installation) : (progress?.slug ?? installation.ref)
  const steps = shownSteps(progress, phase === 'failed')
  return (
    <Dialog
      open
      title={t('dialog.title', { slug })}
      head={<Head installation={installation} slug={slug} />}
      width="l"
      locked={phase === 'installing'}
      onClose={() => useInstall.getState().cancel()}
      footLead={<EnableIn installation={installation} />}
      foot={<Foot installation={installation} profiles={profiles} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div role="status" aria-atomic="false" aria-label={t('dialog.status', { slug })}>
          {preview && phase !== 'failed' ? <InstallScale steps={steps} /> : <InstallSteps steps={steps} />}
        </div>
        {failure && <FailureBanner failure={failure} />}
        {!failure && !preview && (
          <Banner>
            {byLink === true && t('link.opened', { ns: 'keep' })} {t('dialog.untouched')}{' '}
            {t('install.continues', { ns: 'keep' })}
          </Banner>
        )}
        {preview && phase !== 'failed' && (
          <InstallPreview
            preview={preview}
            chosen={installation.chosen}
            byLink={byLink === true}
            disabled={phase === 'installing'}
          />
        )}
      </div>
    </Dialog>
  )
}

/** The installation that is in the foreground, if there is one. */
export function InstallDialog() {
  const installation = useInstall((state) => state.current)
  useReturnFocus(installation !== null, () => document.querySelector<HTMLElement>('[data-region="sheet"] h1'))
  return installation && <OneInstallation key={installation.operationId} installation={installation} />
}
