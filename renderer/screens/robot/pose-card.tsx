import { useTranslation } from 'react-i18next'

import { signed } from '../../app/format.ts'
import { Card, Scale } from '../../components/index.ts'

import type { RobotState } from '../../../electron/contract/index.ts'

interface Row {
  name: string
  /** Degrees or millimetres. */
  value: number
  min: number
  max: number
  step: number
  unit: string
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <div className="border-t border-line px-4 pt-2 pb-3">
      <h3 className="py-1 text-small font-medium text-ink-2">{title}</h3>
      <dl>
        {rows.map((row) => (
          <div key={row.name} className="grid min-h-8 grid-cols-[4.5rem_minmax(0,1fr)_3.5rem] items-center gap-3">
            <dt className="truncate">{row.name}</dt>
            <Scale min={row.min} max={row.max} step={row.step} major={row.max * 2} value={row.value} />
            <dd className="text-right font-medium whitespace-nowrap">
              {signed(row.value)}
              {row.unit === '°' ? '°' : <span className="font-normal text-ink-3"> {row.unit}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Where head, body and antennas are, each on the scale of what it can reach. */
export function PoseCard({ state }: { state: RobotState }) {
  const { t } = useTranslation(['robot', 'shell'])
  const degrees = (radians: number): number => (radians * 180) / Math.PI
  const { head } = state
  const turn = (name: string, radians: number, limit: number, step: number): Row => ({
    name,
    value: degrees(radians),
    min: -limit,
    max: limit,
    step,
    unit: '°',
  })
  const shift = (name: string, metres: number): Row => ({
    name,
    value: metres * 1000,
    min: -50,
    max: 50,
    step: 12.5,
    unit: 'mm',
  })
  return (
    <Card>
      <h2 className="flex min-h-10 items-center px-4 text-heading font-strong">{t('pose')}</h2>
      <Rows
        title={t('headTurn')}
        rows={[
          turn(t('legend.yaw'), head.yaw, 180, 45),
          turn(t('legend.pitch'), head.pitch, 40, 10),
          turn(t('legend.roll'), head.roll, 40, 10),
        ]}
      />
      <Rows
        title={t('headShift')}
        rows={[shift(t('forward'), head.x), shift(t('sideways'), head.y), shift(t('height'), head.z)]}
      />
      <Rows
        title={t('bodyAndAntennas')}
        rows={[
          turn(t('shell:body'), state.bodyYaw, 160, 40),
          turn(t('shell:right'), state.antennas[0], 180, 45),
          turn(t('shell:left'), state.antennas[1], 180, 45),
        ]}
      />
    </Card>
  )
}
