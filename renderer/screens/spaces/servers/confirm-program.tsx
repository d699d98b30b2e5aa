import { useTranslation } from 'react-i18next'

import { Banner } from '../../../components/index.ts'
import { SeenText } from '../seen-text.tsx'

import type { ServerTarget } from '../../../../electron/contract/index.ts'

type Program = Extract<ServerTarget, { kind: 'stdio' }>

function Part({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('servers')
  return (
    <>
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className="mono min-w-0 break-all whitespace-pre-wrap text-ink">
        {text === '' ? <span className="text-ink-3">{t('dialog.emptyPart')}</span> : <SeenText text={text} />}
      </dd>
    </>
  )
}

/** Everything that will run, before it runs for the first time: each part as the system gets it, nothing left out. */
export function ConfirmProgram({ target }: { target: Program }) {
  const { t } = useTranslation('servers')
  const { command, args, env = {}, envFrom = [], cwd } = target
  const values = Object.entries(env)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Banner tone="warn" title={`${t('dialog.confirmTitle')}.`}>
        {t('dialog.confirmText')}
      </Banner>
      <section aria-label={t('dialog.confirmCommand')} className="rounded-card border border-line p-3">
        <h3 className="pb-2 font-strong">{t('dialog.confirmCommand')}</h3>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
          <Part label={t('dialog.command')} text={command} />
          {args.map((arg, index) => (
            <Part key={`${index} ${arg}`} label={t('dialog.confirmPart', { number: index + 1 })} text={arg} />
          ))}
          {cwd !== undefined && <Part label={t('dialog.cwd')} text={cwd} />}
          {values.map(([name, value]) => (
            <Part key={name} label={t('dialog.confirmEnv')} text={`${name}=${value}`} />
          ))}
          {envFrom.map((name) => (
            <Part key={name} label={t('dialog.confirmEnvFrom')} text={name} />
          ))}
        </dl>
        {values.length + envFrom.length === 0 && (
          <p className="pt-2 text-small text-ink-3">{t('dialog.confirmNoEnv')}</p>
        )}
      </section>
    </div>
  )
}
