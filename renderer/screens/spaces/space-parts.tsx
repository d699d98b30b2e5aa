import { BadgeCheck, Cpu, Heart } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../app/format.ts'
import { PlanetIcon, StateLamp, cx } from '../../components/index.ts'

import { hardwareName, stageOf } from './stage.ts'

/** A Space's own emoji on a tile; decorative. */
export function SpaceEmoji({ emoji, large = false }: { emoji: string | undefined; large?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid shrink-0 place-items-center overflow-hidden bg-sunken leading-none',
        large ? 'size-11 rounded-card text-[1.375rem]' : 'size-9 rounded-[0.625rem] text-lg',
      )}
    >
      {emoji ?? <PlanetIcon className={cx('text-space', large ? 'size-6' : 'size-5')} />}
    </span>
  )
}

/** Who publishes it, with a mark for the robot's own maker. */
export function Publisher({ author, official }: { author: string; official: boolean }) {
  const { t } = useTranslation('spaces')
  return (
    <span className="flex min-w-0 items-center gap-0.75 text-small text-ink-3">
      <span className="truncate">{author}</span>
      {official && (
        <>
          <BadgeCheck aria-hidden="true" className="size-3.75 shrink-0 text-accent" />
          <span className="sr-only">{t('card.official')}</span>
        </>
      )}
    </span>
  )
}

/** The Hub's runtime stage in words. @param when the day it was so, when that is not this moment */
export function StageWords({ stage, when }: { stage: string | undefined; when?: string | undefined }) {
  const { t } = useTranslation('spaces')
  const { tone, word } = stageOf(stage)
  const known = word === 'asleep' && when !== undefined ? 'asleepThen' : word
  const state = known === 'other' ? t('stage.other', { stage: stage ?? '' }) : t(`stage.${known}`)
  return <StateLamp tone={tone}>{when === undefined ? state : t('offline.then', { state, when })}</StateLamp>
}

/** Hardware and likes. */
export function SpaceMeta({ hardware, likes }: { hardware: string | undefined; likes: number }) {
  const { t, i18n } = useTranslation('spaces')
  const value = formatNumber(i18n.language, likes)
  return (
    <p className="flex min-w-0 gap-3 text-small text-ink-3 [&_svg]:size-3.25 [&_svg]:shrink-0">
      {hardware && (
        <span className="flex min-w-0 items-center gap-1">
          <Cpu aria-hidden="true" />
          <span className="truncate">{hardwareName(hardware)}</span>
        </span>
      )}
      <span className="flex items-center gap-1">
        <Heart aria-hidden="true" />
        <span aria-hidden="true">{value}</span>
        <span className="sr-only">{t('card.likes', { value })}</span>
      </span>
    </p>
  )
}
