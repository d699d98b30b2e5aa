import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'

import { Section } from './section.tsx'

import type { RouteResponse } from '../../../electron/contract/index.ts'

/** Version, where the files are, and what is not sent. */
export function AboutSection() {
  const { t } = useTranslation('settings')
  const [info, setInfo] = useState<RouteResponse<'app.info'> | null>(null)
  useEffect(() => {
    void attempt('app.info', {}).then((answer) => {
      if (answer.ok) setInfo(answer.value)
    })
  }, [])
  const rows = info
    ? [
        [t('about.version'), info.version],
        ['Electron', `${info.electron}, Chromium ${info.chrome}`],
        [t('about.files'), info.dataDir],
      ]
    : []
  return (
    <Section id="about" title={t('about.title')} text={t('about.privacy')}>
      <dl className="grid gap-2 text-small">
        {rows.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[8rem_1fr] gap-3">
            <dt className="text-ink-3">{name}</dt>
            <dd className="mono min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
