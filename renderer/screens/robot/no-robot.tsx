import { Usb } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, cx } from '../../components/index.ts'
import { useConnect } from '../../stores/connect.ts'
import { useRobots } from '../../stores/robots.ts'

import { AddRobot } from './add-robot.tsx'
import { CommandLine, usePermissionHelp } from './permission-help.tsx'
import { RobotList } from './robot-list.tsx'

import type { ReactNode } from 'react'

function Check({
  lead,
  title,
  found,
  children,
}: {
  lead: ReactNode
  title: string
  found?: boolean
  children: ReactNode
}) {
  return (
    <li
      className={cx(
        'grid grid-cols-[1.75rem_minmax(0,1fr)] gap-4 rounded-card py-3',
        found ? '-mx-4 bg-warn-soft px-4' : null,
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'grid size-7 place-items-center rounded-full font-medium',
          found ? 'text-warn' : 'bg-hover text-ink-2',
        )}
      >
        {lead}
      </span>
      <div className="min-w-0">
        <p className="font-strong">{title}</p>
        <div className="text-pretty text-ink-2">{children}</div>
      </div>
    </li>
  )
}

/** Nothing is connected: what to check, and what works anyway. */
export function NoRobot() {
  const { t } = useTranslation('robot')
  const robots = useRobots((store) => store.robots)
  const { connecting, connect } = useConnect()
  const [byAddress, setByAddress] = useState(false)
  const help = usePermissionHelp()
  const refused = robots?.find(({ state }) => state === 'no-permission')
  const others = robots?.some(({ kind }) => kind !== 'simulator') ?? false
  return (
    <div className="mx-auto grid min-h-full w-[min(38rem,100%)] content-center gap-2 py-6 narrow:content-start narrow:py-3">
      <h2 className="text-display font-strong tracking-title">{t('none.title')}</h2>
      <p className="text-body text-pretty text-ink-2">{t('none.text')}</p>
      <ol className="my-3 grid gap-1">
        <Check lead="1" title={t('none.power')}>
          {t('none.powerText')}
        </Check>
        <Check lead="2" title={t('none.cable')}>
          {t('none.cableText')}
        </Check>
        {refused && help && (
          <Check found lead={<Usb aria-hidden="true" className="size-4" />} title={t('none.refused')}>
            {t('none.refusedText', { place: refused.place ?? refused.id, group: help.group })}
            <CommandLine command={help.command} />
          </Check>
        )}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" size="l" busy={connecting === 'simulator'} onClick={() => void connect('simulator')}>
          {t('useSimulator')}
        </Button>
        {!byAddress && (
          <Button size="l" onClick={() => setByAddress(true)}>
            {t('none.byAddress')}
          </Button>
        )}
      </div>
      {byAddress && (
        <div className="mt-3">
          <AddRobot focused />
        </div>
      )}
      {others && (
        <div className="mt-5 grid gap-2">
          <h3 className="text-small font-medium text-ink-2">{t('none.found')}</h3>
          <RobotList />
        </div>
      )}
    </div>
  )
}
