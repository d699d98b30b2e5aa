import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../app/format.ts'
import { Card, cx } from '../../components/index.ts'

import { troubleOf, wordOf } from './motor-advice.ts'

import type { MotorState } from '../../../electron/contract/index.ts'

/** Motors of a Reachy Mini: body, six of the platform, two antennas. */
const MOTOR_COUNT = 9

const HEAD = 'px-3 pb-1.5 text-small font-medium whitespace-nowrap text-ink-3'
const CELL = 'h-9 border-t border-line px-3 whitespace-nowrap'
const NUMBER = 'text-right'

/** Radians as degrees with one decimal, as the language writes it. */
function angleText(language: string, radians: number): string {
  const degrees = Math.round((radians * 1800) / Math.PI) / 10 || 0
  return `${degrees > 0 ? '+' : ''}${formatNumber(language, degrees, 1)}°`
}

function MotorRow({ motor, torque }: { motor: MotorState; torque: boolean }) {
  const { t, i18n } = useTranslation('robot')
  const { temperature, voltage, load } = motor
  const dash = (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t('unknown')}</span>
    </>
  )
  const trouble = troubleOf(motor)
  const word = t(`motorWord.${wordOf(motor, torque)}`)
  return (
    <tr className={cx(trouble !== null && (trouble === 'latched' ? 'bg-danger-soft' : 'bg-warn-soft'))}>
      <th scope="row" className={cx(CELL, 'pl-4 text-left font-normal')}>
        <span className="inline-block w-7 text-ink-3">{motor.id}</span>
        {motor.name}
      </th>
      <td className={cx(CELL, NUMBER)}>{angleText(i18n.language, motor.angle)}</td>
      <td className={cx(CELL, NUMBER)}>
        {temperature === null ? dash : `${formatNumber(i18n.language, temperature)} °C`}
      </td>
      <td className={cx(CELL, NUMBER)}>{voltage === null ? dash : `${formatNumber(i18n.language, voltage, 1)} V`}</td>
      <td className={cx(CELL, NUMBER)}>{load === null ? dash : `${formatNumber(i18n.language, load * 100)} %`}</td>
      <td
        className={cx(
          CELL,
          'pr-4 text-left',
          trouble !== null && (trouble === 'latched' ? 'font-medium text-danger' : 'font-medium text-warn'),
        )}
      >
        <span className="inline-flex items-center gap-1">
          {trouble !== null && <TriangleAlert aria-hidden="true" className="size-3.5" />}
          {word}
        </span>
      </td>
    </tr>
  )
}

/** What each motor says: angle, heat, supply, load, and whether it holds. */
export function MotorTable({ motors, torque }: { motors: readonly MotorState[]; torque: boolean }) {
  const { t } = useTranslation('robot')
  // A motor that has told nothing of itself yet has not been asked; over a daemon none of them is.
  const told = motors.filter(({ voltage, temperature }) => voltage !== null || temperature !== null).length
  return (
    <Card className="overflow-hidden">
      <div className="flex min-h-10 items-center justify-between px-4">
        <h2 id="motors-heading" className="text-heading font-strong">
          {t('motors')}
        </h2>
        {told > 0 && (
          <span className="text-small text-ink-3">{t('answering', { count: told, total: MOTOR_COUNT })}</span>
        )}
      </div>
      {motors.length === 0 ? (
        <p className="px-4 pb-4 text-ink-2">{t('waitForMotors')}</p>
      ) : (
        <table aria-labelledby="motors-heading" className="w-full border-collapse tabular-nums">
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
              <th scope="col" className={cx(HEAD, NUMBER)}>
                {t('load')}
              </th>
              <th scope="col" className={cx(HEAD, 'w-34 pr-4 text-left')}>
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
