import { memo } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, FailureBanner, Mark, Markdown } from '../../components/index.ts'

import { CallGroup } from './call-group.tsx'
import { groupParts, waitingFor } from './group-parts.ts'
import { ThinkingMark } from './thinking-mark.tsx'

import type { ChatMessage } from '../../../electron/contract/index.ts'

export interface MessageTurnProps {
  message: ChatMessage
  /** Of the answers, the newest one. */
  latest: boolean
  moves: ReadonlySet<string>
  /** Sends the question of a failed answer again. */
  onRetry?: ((provider: 'set' | 'offline') => void) | undefined
}

function UserTurn({ message }: { message: ChatMessage }) {
  const { t } = useTranslation('chat')
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return (
    <article className="ml-auto w-fit max-w-[85%] rounded-sheet rounded-br-tick bg-selected px-4 py-3">
      <h2 className="sr-only">{t('you')}</h2>
      <p className="text-read wrap-anywhere whitespace-pre-wrap">{text}</p>
    </article>
  )
}

function AnswerTurn({ message, latest, moves, onRetry }: MessageTurnProps) {
  const { t } = useTranslation('chat')
  const blocks = groupParts(message.parts)
  const waiting = waitingFor(message)
  const modelFailed = message.failure?.code.startsWith('provider/') === true
  return (
    <article className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 narrow:grid-cols-[minmax(0,1fr)]">
      <Mark className="mt-1 w-5.5 narrow:hidden" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h2 className="sr-only">Reachy Mini</h2>
        {blocks.map((block, index) =>
          block.kind === 'text' ? (
            <div key={block.key} className="prose text-read">
              <Markdown text={block.text} />
              {message.state === 'streaming' && index === blocks.length - 1 && <ThinkingMark />}
            </div>
          ) : (
            <CallGroup key={block.key} calls={block.calls} moves={moves} latest={latest} />
          ),
        )}
        {waiting !== 'nothing' && (
          <p className="flex items-center gap-3 text-ui text-ink-2">
            <ThinkingMark waiting />
            {waiting === 'model'
              ? t('thinking')
              : waiting === 'person'
                ? t('panel', { ns: 'trust' })
                : t('waitingForTools')}
          </p>
        )}
        {message.state === 'stopped' && <p className="text-small text-ink-3">{t('stoppedByYou')}</p>}
        {message.failure && (
          <FailureBanner
            failure={message.failure}
            action={
              onRetry && (
                <span className="flex flex-wrap justify-end gap-2">
                  <Button size="s" onClick={() => onRetry('set')}>
                    {t('tryAgain')}
                  </Button>
                  {modelFailed && (
                    <Button size="s" onClick={() => onRetry('offline')}>
                      {t('answerOffline')}
                    </Button>
                  )}
                </span>
              )
            }
          />
        )}
      </div>
    </article>
  )
}

/** One message. Only the one that changed is drawn again. */
export const MessageTurn = memo(function MessageTurn(props: MessageTurnProps) {
  return props.message.role === 'user' ? <UserTurn message={props.message} /> : <AnswerTurn {...props} />
})
