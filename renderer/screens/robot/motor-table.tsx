import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatDegrees, formatNumber } from '../../app/format.ts'
import { Card, cx } from '../../components/index.ts'

import { HOT, WARM } from './motor-heat.ts'

import type { MotorState } from '../../../electron/contract/index.ts'

/** Motors of a Reachy Mini: body, six of the platform, two antennas. */
const MOTOR_COUNT = 9

const HEAD = 'px-3 pb-1.5 text-small font-medium whitespace-nowrap text-ink-3'
const CELL = 'h-9 border-t border-line px-3 whitespace-nowrap'
const NUMBER = 'text-right'

function MotorRow({ motor, torque }: { motor: MotorState; torque: boolean }) {
  const { t, i18n } = useTranslation('robot')
  const { temperature, voltage, error } = motor
  const dash = (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t('unknown')}</span>
    </>
  )
  const warm = temperature !== null && temperature >= WARM
  const word = error ?? (warm ? t(temperature >= HOT ? 'hot' : 'warm') : t(torque ? 'holding' : 'limp'))
  const bad = error !== undefined || warm
  return (
    <tr className={cx(bad && 'bg-warn-soft')}>
      <th scope="row" className={cx(CELL, 'pl-4 text-left font-normal')}>
        <span className="inline-block w-7 text-ink-3">{motor.id}</span>
        {motor.name}
      </th>
      <td className={cx(CELL, NUMBER)}>{formatDegrees(motor.angle, 1)}</td>
      <td className={cx(CELL, NUMBER)}>
        {temperature === null ? dash : `${formatNumber(i18n.language, temperature)} °C`}
      </td>
      <td className={cx(CELL, NUMBER)}>{voltage === null ? dash : `${formatNumber(i18n.language, voltage, 1)} V`}</td>
      <td className={cx(CELL, 'pr-4 text-left', bad && 'font-medium text-warn')}>
        <span className="inline-flex items-center gap-1">
          {bad && <TriangleAlert aria-hidden="true" className="size-3.5" />}
          {word}
        </span>
      </td>
    </tr>
  )
}

/** What each motor says: angle, heat, supply, and whether it holds. */
export function MotorTable({ motors, torque }: { motors: readonly MotorState[]; torque: boolean }) {
  const { t } = useTranslation('robot')
  return (
    <Card className="overflow-hidden">
      <div className="flex min-h-10 items-center justify-between px-4">
        <h2 id="motors-heading" className="text-heading font-strong">
          {t('motors')}
        </h2>
        <span className="text-small text-ink-3">{t('answering', { count: motors.length, total: MOTOR_COUNT })}</span>
      </div>
      {motors.length === 0 ? (
        <p className="px-4 pb-4 text-ink-2">{t('waitForMotors')}</p>
      ) : (
        <table aria-labelledby="motors-heading" className="w-full border-collapse">
          <thead>
            <tr>
              <th scope="col" className={cx(HEAD, 'pl-4 text-left')}>
                {t('motor')}
              </th>
              <th scope="col" className={cx(HEAD, NUMBER)}>
                {t('angle')}
              </th>
              <th scope="col" className={cx(HEAD, NUMBER)}>
                {t('heat')}
              </th>
              <th scope="col" className={cx(HEAD, NUMBER)}>
                {t('supply')}
              </th>
              <th scope="col" className={cx(HEAD, 'pr-4 text-left')}>
                {t('motorState')}
              </th>
            </tr>
          </thead>
          <tbody>
            {motors.map((motor) => (
              <MotorRow key={motor.id} motor={motor} torque={torque} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
