import { Info } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { signed } from '../../app/format.ts'
import { Button, Card, Dialog, FailureBanner, Slider, Switch } from '../../components/index.ts'
import { useRobot } from '../../stores/robot.ts'

import { RANGES } from './jog-axes.ts'
import { useJog } from './use-jog.ts'

import type { Failure, RobotState } from '../../../electron/contract/index.ts'
import type { Axis } from './jog-axes.ts'
import type { JogState } from './use-jog.ts'

/** A head above this would sink when the motors are switched off, metres; asleep it lies at −44 mm. */
const UP = -0.03

function useAxisNames(): Record<Axis, string> {
  const { t } = useTranslation(['robot', 'shell'])
  return {
    yaw: t('legend.yaw'),
    pitch: t('legend.pitch'),
    roll: t('legend.roll'),
    forward: t('forward'),
    sideways: t('sideways'),
    height: t('height'),
    body: t('shell:body'),
    right: t('shell:right'),
    left: t('shell:left'),
  }
}

function Sliders({
  title,
  axes,
  jog,
  disabled,
}: {
  title: string
  axes: readonly Axis[]
  jog: JogState
  disabled: boolean
}) {
  const names = useAxisNames()
  return (
    <fieldset className="border-t border-line px-4 pt-2 pb-3">
      <legend className="float-left w-full py-1 text-small font-medium text-ink-2">{title}</legend>
      <div className="clear-both grid gap-1">
        {axes.map((axis) => {
          const { min, max, tick, unit } = RANGES[axis]
          return (
            <Slider
              key={axis}
              label={names[axis]}
              min={min}
              max={max}
              tick={tick}
              value={Math.round(jog.values[axis])}
              format={(value) => (unit === '°' ? `${signed(value)}°` : `${signed(value)} mm`)}
              disabled={disabled}
              onChange={(value) => jog.set({ [axis]: value })}
              onReset={() => jog.set({ [axis]: 0 })}
            />
          )
        })}
      </div>
    </fieldset>
  )
}

function TorqueSwitch({ state, onFailure }: { state: RobotState; onFailure: (failure: Failure | null) => void }) {
  const { t } = useTranslation(['robot', 'shell', 'common'])
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  const turn = async (on: boolean): Promise<void> => {
    setAsking(false)
    setBusy(true)
    const answer = await attempt('robot.torque', { on })
    setBusy(false)
    if (answer.ok) useRobot.getState().accept(answer.value)
    onFailure(answer.ok ? null : answer.error)
  }
  const sleep = async (): Promise<void> => {
    setAsking(false)
    const answer = await attempt('robot.sleep', {})
    onFailure(answer.ok ? null : answer.error)
  }
  return (
    <>
      <label className="ml-auto flex items-center gap-2 text-small text-ink-2">
        {t('torque')}
        <Switch
          label={t('torque')}
          checked={state.torque}
          disabled={busy || state.stopped}
          onChange={(on) => {
            if (!on && state.head.z > UP) setAsking(true)
            else void turn(on)
          }}
        />
      </label>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        width="s"
        title={t('limpTitle')}
        description={t('limpText')}
        foot={
          <>
            <Button onClick={() => setAsking(false)}>{t('common:cancel')}</Button>
            <Button onClick={() => void sleep()}>{t('shell:sleep')}</Button>
            <Button variant="danger" onClick={() => void turn(false)}>
              {t('limpSubmit')}
            </Button>
          </>
        }
      >
        {null}
      </Dialog>
    </>
  )
}

/** Head, body and antennas by sliders, and the switch of the motors. */
export function JogCard({ state }: { state: RobotState }) {
  const { t } = useTranslation(['robot', 'shell'])
  const names = useAxisNames()
  const jog = useJog(state)
  const [failure, setFailure] = useState<Failure | null>(null)
  const off = state.stopped || !state.torque
  const note = state.stopped
    ? t('handStopped')
    : off
      ? t('handOff')
      : jog.missed.length > 0
        ? t('missedNote', { axes: jog.missed.map((axis) => names[axis]).join(', ') })
        : t('yawNote')
  const shown = failure ?? jog.failure

  const enable = async (): Promise<void> => {
    const answer = await attempt('robot.enable', {})
    if (answer.ok) useRobot.getState().accept(answer.value)
    setFailure(answer.ok ? null : answer.error)
  }
  return (
    <Card className="flex flex-col">
      <section aria-labelledby="jog-heading" className="contents">
        <div className="flex min-h-10 items-center gap-3 px-4">
          <h2 id="jog-heading" className="text-heading font-strong">
            {t('byHand')}
          </h2>
          <TorqueSwitch state={state} onFailure={setFailure} />
        </div>
        <Sliders title={t('headTurn')} axes={['yaw', 'pitch', 'roll']} jog={jog} disabled={off} />
        <Sliders title={t('headShift')} axes={['forward', 'sideways', 'height']} jog={jog} disabled={off} />
        <Sliders title={t('bodyAndAntennas')} axes={['body', 'right', 'left']} jog={jog} disabled={off} />
        <p aria-live="polite" className="flex gap-1.5 px-4 pb-2 text-small text-pretty text-ink-2">
          <Info aria-hidden="true" className="mt-0.25 size-3.5 shrink-0" />
          {note}
        </p>
        {shown && <FailureBanner failure={shown} className="mx-4 mb-2" />}
        <div className="mt-auto grid gap-2 px-4 pt-2 pb-4">
          {state.stopped ? (
            <Button onClick={() => void enable()}>{t('shell:enable')}</Button>
          ) : (
            <Button
              disabled={off}
              onClick={() => jog.set({ yaw: 0, pitch: 0, roll: 0, forward: 0, sideways: 0, height: 0, body: 0 })}
            >
              {t('lookAhead')}
            </Button>
          )}
        </div>
      </section>
    </Card>
  )
}
