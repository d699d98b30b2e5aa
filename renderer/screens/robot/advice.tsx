import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { formatNumber } from '../../app/format.ts'
import { Banner, Button, FailureBanner } from '../../components/index.ts'
import { useRobot } from '../../stores/robot.ts'

import { adviceFor, errorsOf, placeOf } from './motor-advice.ts'
import { HOT } from './motor-heat.ts'

import type { Failure, MotorState } from '../../../electron/contract/index.ts'

/** The one thing that a person should do about the motors, with the button that does it. */
export function Advice({ motors }: { motors: readonly MotorState[] }) {
  const { t, i18n } = useTranslation(['robot', 'shell'])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const advice = adviceFor(motors)
  if (advice === null) return failure && <FailureBanner failure={failure} />

  const { trouble, motor, others } = advice
  const run = async (work: () => ReturnType<typeof attempt>): Promise<void> => {
    setBusy(true)
    const answer = await work()
    setBusy(false)
    setFailure(answer.ok ? null : answer.error)
  }
  const restart = async (): Promise<void> => {
    setBusy(true)
    const answer = await attempt('robot.rebootMotor', { id: motor.id })
    setBusy(false)
    if (answer.ok) useRobot.getState().accept(answer.value)
    setFailure(answer.ok ? null : answer.error)
  }
  const words = {
    motor: t(`motorPlace.${placeOf(motor.name)}`, { name: motor.name }),
    degrees: formatNumber(i18n.language, motor.temperature ?? 0),
    volts: formatNumber(i18n.language, motor.voltage ?? 0, 1),
    limit: HOT,
    errors: errorsOf(motor)
      .map((error) => t(`motorError.${error}`))
      .join(', '),
  }
  const sleeps = trouble === 'warm' || trouble === 'hot'
  return (
    <div className="grid gap-3">
      <Banner
        tone={trouble === 'latched' ? 'danger' : 'warn'}
        title={t(`advice.${trouble}`, words)}
        action={
          trouble === 'latched' ? (
            <Button size="s" busy={busy} aria-label={t('restart', { name: motor.name })} onClick={() => void restart()}>
              {t('restartShort')}
            </Button>
          ) : (
            sleeps && (
              <Button size="s" busy={busy} onClick={() => void run(() => attempt('robot.sleep', {}))}>
                {t('shell:sleep')}
              </Button>
            )
          )
        }
      >
        {t(`advice.${trouble}Text`, words)} {others > 0 && t('advice.others', { count: others })}
      </Banner>
      {failure && <FailureBanner failure={failure} />}
    </div>
  )
}
