import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, FailureBanner } from '../../components/index.ts'
import { useConnect } from '../../stores/connect.ts'
import { useRobot } from '../../stores/robot.ts'
import { useRobots } from '../../stores/robots.ts'

import { AddRobot } from './add-robot.tsx'
import { Advice } from './advice.tsx'
import { presenceOf } from './describe-robot.ts'
import { JogCard } from './jog-card.tsx'
import { MotorTable } from './motor-table.tsx'
import { NoRobot } from './no-robot.tsx'
import { CommandLine, usePermissionHelp } from './permission-help.tsx'
import { RobotList } from './robot-list.tsx'

import type { RobotState } from '../../../electron/contract/index.ts'

/** The chosen robot is not there: why, what helps, and what works meanwhile. */
function Awaited({ state }: { state: RobotState }) {
  const { t } = useTranslation('robot')
  const { connecting, connect } = useConnect()
  const help = usePermissionHelp()
  const { problem } = state
  if (problem === undefined) return null
  return (
    <div className="grid gap-3">
      <FailureBanner
        failure={problem}
        tone="warn"
        action={
          <Button size="s" busy={connecting === 'simulator'} onClick={() => void connect('simulator')}>
            {t('useSimulator')}
          </Button>
        }
      />
      {problem.code === 'robot/no-permission' && help && <CommandLine command={help.command} />}
    </div>
  )
}

/** Which robot, what its motors say, and how it is moved by hand. */
export function BodyTab() {
  const state = useRobot((store) => store.snapshot)
  const failure = useRobot((store) => store.failure)
  const known = useRobots((store) => store.robots !== null)
  const look = useRobots((store) => store.look)
  const connecting = useConnect((store) => store.connecting)
  useEffect(() => {
    if (!known) void look(false)
  }, [known, look])

  const presence = presenceOf(state)
  if (presence === 'none' && connecting === null) return <NoRobot />
  const here = state !== null && presence === 'here'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_19rem] items-start gap-4 narrow:grid-cols-1">
      <div className="grid min-w-0 gap-4 narrow:contents">
        {failure && <FailureBanner failure={failure} />}
        <RobotList />
        {state && presence === 'awaited' && <Awaited state={state} />}
        {here && <Advice motors={state.motors} />}
        {here && <MotorTable motors={state.motors} torque={state.torque} />}
        <div className="narrow:order-last">
          <AddRobot />
        </div>
      </div>
      {here && <JogCard key={state.id} state={state} />}
    </div>
  )
}
