import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { AVATAR_TINTS } from '../../../../electron/contract/constants.ts'
import { signed } from '../../../app/format.ts'
import { Button, Slider, cx } from '../../../components/index.ts'
import { Face } from '../face.tsx'

import { PLAIN_AVATAR } from './details-form.ts'

import type { Avatar } from '../../../../electron/contract/index.ts'

const TINTS: Record<Avatar['tint'], string> = {
  accent: 'bg-accent',
  space: 'bg-space',
  local: 'bg-local',
  success: 'bg-success',
  warn: 'bg-warn',
  ink: 'bg-ink',
}

const degrees = (value: number): string => `${signed(value)}°`
const percent = (value: number): string => `${signed(Math.round(value * 100))} %`

export interface AvatarEditorProps {
  /** Of the profile, whose face it has when nothing is chosen. */
  name: string
  avatar: Avatar | null
  onChange: (avatar: Avatar | null) => void
}

/** The face of a profile, drawn as it is set. */
export function AvatarEditor({ name, avatar, onChange }: AvatarEditorProps) {
  const { t } = useTranslation('local')
  const group = useId()
  const now = avatar ?? PLAIN_AVATAR
  const set = (change: Partial<Avatar>): void => onChange({ ...now, ...change })
  const [right, left] = now.antennas
  const [x, y] = now.gaze
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 font-strong">{t('avatar.title')}</legend>
      <div className="grid grid-cols-[8rem_minmax(0,1fr)] items-start gap-5">
        <div className="grid justify-items-center gap-3">
          <div className="grid size-28 place-items-center rounded-card bg-sunken">
            <Face name={name} avatar={avatar ?? undefined} className="size-20" />
          </div>
          <Button size="s" variant="quiet" disabled={avatar === null} onClick={() => onChange(null)}>
            {t('avatar.reset')}
          </Button>
        </div>
        <div className="grid gap-1">
          <Slider
            label={t('avatar.roll')}
            value={now.roll}
            min={-15}
            max={15}
            format={degrees}
            onChange={(roll) => set({ roll })}
          />
          <Slider
            label={t('avatar.right')}
            value={right}
            min={-60}
            max={60}
            format={degrees}
            onChange={(next) => set({ antennas: [next, left] })}
          />
          <Slider
            label={t('avatar.left')}
            value={left}
            min={-60}
            max={60}
            format={degrees}
            onChange={(next) => set({ antennas: [right, next] })}
          />
          <Slider
            label={t('avatar.across')}
            value={x}
            min={-1}
            max={1}
            step={0.1}
            format={percent}
            onChange={(next) => set({ gaze: [next, y] })}
          />
          <Slider
            label={t('avatar.down')}
            value={y}
            min={-1}
            max={1}
            step={0.1}
            format={percent}
            onChange={(next) => set({ gaze: [x, next] })}
          />
          <div role="radiogroup" aria-label={t('avatar.tint')} className="flex min-h-7 items-center gap-2">
            <span aria-hidden="true" className="w-17 shrink-0">
              {t('avatar.tint')}
            </span>
            {AVATAR_TINTS.map((tint) => (
              <label key={tint} title={t(`avatar.tints.${tint}`)} className="relative grid size-7 place-items-center">
                <input
                  type="radio"
                  name={group}
                  aria-label={t(`avatar.tints.${tint}`)}
                  checked={now.tint === tint}
                  onChange={() => set({ tint })}
                  className="peer absolute inset-0 size-full appearance-none rounded-full border-2 border-transparent checked:border-ink"
                />
                <span aria-hidden="true" className={cx('size-4 rounded-full', TINTS[tint])} />
              </label>
            ))}
          </div>
        </div>
      </div>
    </fieldset>
  )
}
