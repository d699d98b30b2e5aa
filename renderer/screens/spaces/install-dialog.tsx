import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { useReturnFocus } from '../../app/use-return-focus.ts'
import { Banner, Button, Dialog, FailureBanner, Select } from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useInstalls } from '../../stores/spaces.ts'

import { InstallPreview } from './install-preview.tsx'
import { InstallScale, InstallSteps } from './install-steps.tsx'
import { useInstall } from './install-store.ts'
import { shownSteps, usableIds } from './preview-facts.ts'
import { SpaceEmoji, SpaceMeta, StageWords } from './space-parts.tsx'
import { useUndo } from './use-remove.ts'

import type { InstallResult } from '../../../electron/contract/index.ts'
import type { Installation } from './install-store.ts'

/** "No profile" in the list of profiles, where every other value is a name. */
const NO_PROFILE = ''

/** The profile that the tools will be switched on in: what was chosen, else the one in use. */
function useTargetProfile(installation: Installation): string | null {
  const active = useProfiles((state) => state.snapshot?.active)
  return installation.profile === undefined ? (active ?? null) : installation.profile
}

function Head({ installation, slug }: { installation: Installation; slug: string }) {
  const { t } = useTranslation('spaces')
  const { card, preview } = installation
  const title = preview?.title ?? card?.title
  const known = slug.includes('/')
  return (
    <div className="flex min-w-0 items-start gap-3">
      <SpaceEmoji large emoji={preview?.emoji ?? card?.emoji} />
      <div className="min-w-0 flex-1">
        <p aria-hidden="true" className="text-title leading-6 font-strong tracking-title wrap-anywhere">
          {title ?? slug}
        </p>
        {title !== undefined && <p className="mono break-all text-ink-2">{slug}</p>}
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
          {card && <StageWords stage={card.stage} />}
          {card && <SpaceMeta hardware={card.hardware} likes={card.likes} />}
          {known && preview && (
            <button type="button" className="link" onClick={() => void attempt('app.openSpacePage', { slug })}>
              {t('dialog.page')}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function Foot({
  installation,
  onInstall,
}: {
  installation: Installation
  onInstall: (profile: string | null) => void
}) {
  const { t } = useTranslation('spaces')
  const { cancel, again } = useInstall.getState()
  const target = useTargetProfile(installation)
  const { phase } = installation
  const cancelButton = (
    <Button disabled={phase === 'installing'} onClick={cancel}>
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
  if (!installation.preview) return cancelButton
  const nothing = usableIds(installation.preview).length === 0
  return (
    <>
      {cancelButton}
      <Button variant="primary" busy={phase === 'installing'} disabled={nothing} onClick={() => onInstall(target)}>
        {t('dialog.install')}
      </Button>
    </>
  )
}

function EnableIn({ installation }: { installation: Installation }) {
  const { t } = useTranslation('spaces')
  const id = useId()
  const target = useTargetProfile(installation)
  const profiles = useProfiles((state) => state.snapshot?.profiles) ?? []
  const { preview, chosen, phase } = installation
  if (!preview || phase === 'failed') return null
  const usable = usableIds(preview)
  const count = usable.filter((tool) => chosen.has(tool)).length
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-ink-2">
        {t('dialog.enableIn')}
      </label>
      <Select
        id={id}
        label={t('dialog.enableIn')}
        value={target ?? NO_PROFILE}
        disabled={phase === 'installing'}
        onChange={(value) => useInstall.getState().enableIn(value === NO_PROFILE ? null : value)}
        options={[
          ...profiles
            .filter((profile) => !profile.hidden && !profile.problem)
            .map((profile) => ({ value: profile.name, label: profile.name })),
          { value: NO_PROFILE, label: t('dialog.noProfile') },
        ]}
        className="w-52"
      />
      <span className="text-small text-ink-3">
        {t('dialog.usable', { chosen: target === null ? 0 : count, count: usable.length })}
      </span>
    </div>
  )
}

/** The dialog of one installation: five steps, then what it would add, then the answer. */
export function InstallDialog() {
  const { t } = useTranslation('spaces')
  const installation = useInstall((state) => state.current)
  const progress = useInstalls((state) => (installation ? state.installs[installation.operationId] : undefined))
  const undo = useUndo()
  const slug = installation?.preview?.slug ?? installation?.card?.slug ?? progress?.slug ?? installation?.ref ?? ''
  useReturnFocus(installation !== null, () => document.querySelector<HTMLElement>('[data-region="sheet"] h1'))
  if (!installation) return null

  const { phase, preview, failure } = installation
  const { cancel, install, tell } = useInstall.getState()
  const steps = shownSteps(progress, phase === 'failed')
  const announce = (result: InstallResult): void => {
    const { profile, added } = result.enabled
    const { slug: installed } = result.space
    const text =
      profile !== null && added.length > 0
        ? t('done.enabled', { slug: installed, count: added.length, profile })
        : t('done.installed', { slug: installed })
    tell(text, () => undo(result.undoId))
  }
  const submit = async (profile: string | null): Promise<void> => {
    const result = await install(profile)
    if (result) announce(result)
  }

  return (
    <Dialog
      open
      title={t('dialog.title', { slug })}
      head={<Head installation={installation} slug={slug} />}
      width="l"
      locked={phase === 'installing'}
      onClose={cancel}
      footLead={<EnableIn installation={installation} />}
      foot={<Foot installation={installation} onInstall={(profile) => void submit(profile)} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div role="status" aria-atomic="false" aria-label={t('dialog.status', { slug })}>
          {preview && phase !== 'failed' ? <InstallScale steps={steps} /> : <InstallSteps steps={steps} />}
        </div>
        {failure && <FailureBanner failure={failure} />}
        {!failure && !preview && <Banner>{t('dialog.untouched')}</Banner>}
        {preview && phase !== 'failed' && (
          <InstallPreview preview={preview} chosen={installation.chosen} disabled={phase === 'installing'} />
        )}
      </div>
    </Dialog>
  )
}
