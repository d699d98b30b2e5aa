import { Globe, Info, Monitor, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { RISK_CLASSES } from '../../../electron/contract/constants.ts'
import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { Button } from '../../components/index.ts'

import { askedRows } from './describe-call.ts'

import type { Approval, ApprovalAnswer, Failure, ToolCall } from '../../../electron/contract/index.ts'
import type { KeyboardEvent, ReactNode } from 'react'

/** Space is the key to talk with: it must never answer a question. */
const ignoreSpace = (event: KeyboardEvent): void => {
  if (event.key === ' ') event.preventDefault()
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2 text-small text-ink-2 [&>svg]:mt-px [&>svg]:size-3.75 [&>svg]:shrink-0">
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}

function Facts({ approval, empty }: { approval: Approval; empty: boolean }) {
  const { t } = useTranslation('trust')
  const { goesTo, reason, afterToolId = '', riskClass } = approval
  const kind = RISK_CLASSES[riskClass] ?? 'runs-code'
  return (
    <ul className="grid gap-1.5">
      {goesTo === undefined ? (
        <Fact icon={<Monitor aria-hidden="true" />}>{t('stays')}</Fact>
      ) : kind === 'runs-code' ? (
        <Fact icon={<Monitor aria-hidden="true" />}>{t(empty ? 'programNothing' : 'program', { to: goesTo })}</Fact>
      ) : (
        <Fact icon={<Globe aria-hidden="true" />}>{t(empty ? 'leavesNothing' : 'leaves', { to: goesTo })}</Fact>
      )}
      <Fact icon={reason === 'tainted' ? <TriangleAlert aria-hidden="true" /> : <Info aria-hidden="true" />}>
        {t(`why.${reason}`, { tool: afterToolId })} {t('kind', { kind: t(`kinds.${kind}`) })}
      </Fact>
    </ul>
  )
}

/**
 * The question of a call that waits. Only a click, or Enter on a button, answers it; it never takes the focus, and leaving
 * the screen answers nothing.
 */
export function ApprovalCard({ call, name }: { call: ToolCall; name: string }) {
  const { t } = useTranslation('trust')
  const [given, setGiven] = useState<ApprovalAnswer | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { approval } = call
  if (approval === undefined) return null
  const rows = askedRows(call.arguments)
  const answer = async (choice: ApprovalAnswer): Promise<void> => {
    setGiven(choice)
    const sent = await attempt('chat.approve', { callId: call.callId, answer: choice })
    if (sent.ok) return
    setGiven(null)
    setFailure(sent.error)
  }
  const button = (choice: ApprovalAnswer): Partial<React.ComponentProps<typeof Button>> => ({
    busy: given === choice,
    disabled: given !== null && given !== choice,
    onKeyDown: ignoreSpace,
    onKeyUp: ignoreSpace,
    onClick: () => void answer(choice),
  })
  return (
    <div role="group" aria-label={t('approve', { id: call.toolId })} data-approval="" className="grid gap-3 px-3 pb-3">
      <p role="status" className="sr-only">
        {t('announce', { name })}
      </p>
      <p className="text-heading font-strong wrap-anywhere">
        {t(`ask.${approval.reason}`, { name: approval.member ?? name })}
      </p>
      {rows.length > 0 && (
        <dl
          aria-label={t('arguments')}
          tabIndex={0}
          className="scroll-quiet grid max-h-60 gap-1 overflow-y-auto rounded-control bg-sunken px-2.5 py-2 text-small"
        >
          {rows.map((row) => (
            <div key={row.name} className="grid grid-cols-[minmax(4rem,5.5rem)_1fr] gap-2">
              <dt className="mono truncate text-ink-3" title={row.name}>
                {row.name}
              </dt>
              <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink">{row.value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Facts approval={approval} empty={rows.length === 0} />
      {failure && (
        <p role="alert" className="text-small text-danger">
          {failureText(t, failure).message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" {...button('once')}>
          {t('once')}
        </Button>
        <Button {...button('deny')}>{t('deny')}</Button>
        {approval.canAlways && (
          <Button variant="quiet" title={t('alwaysHint')} className="ml-auto" {...button('always')}>
            {t('always')}
          </Button>
        )}
      </div>
      <p className="text-small text-ink-3">
        {t('note')} {approval.canAlways && `${t('always')}: ${t('alwaysHint')}`}
      </p>
    </div>
  )
}
