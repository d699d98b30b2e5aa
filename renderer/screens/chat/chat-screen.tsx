import { Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { FailureBanner, IconButton, Select, Skeleton } from '../../components/index.ts'
import { useChat } from '../../stores/chat.ts'
import { useProfiles } from '../../stores/profiles.ts'

import { Composer } from './composer.tsx'
import { useDraft } from './draft-store.ts'
import { EmptyChat } from './empty-chat.tsx'
import { MessageTurn } from './message-turn.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'

import type { ChatMessage, Conversation, Failure } from '../../../electron/contract/index.ts'

/** Names of the moves of the body; they do not change while the app runs. */
function useMoveNames(): ReadonlySet<string> {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    void attempt('robot.moves', {}).then((answer) => {
      if (answer.ok) setNames(new Set(answer.value.moves.map((move) => move.name)))
    })
  }, [])
  return names
}

function ProfileChoice({ value, onFailure }: { value: string; onFailure: (failure: Failure | null) => void }) {
  const { t } = useTranslation('chat')
  const snapshot = useProfiles((state) => state.snapshot)
  const accept = useProfiles((state) => state.accept)
  const options = (snapshot?.profiles ?? [])
    .filter(({ name, hidden, problem }) => problem?.code !== 'profile/exists' && (!hidden || name === value))
    .map(({ name, problem }) => ({
      value: name,
      label: name,
      note: problem && failureText(t, problem).message,
    }))
  const choose = async (name: string): Promise<void> => {
    const answer = await attempt('profiles.use', { name })
    onFailure(answer.ok ? null : answer.error)
    if (answer.ok) accept(answer.value)
  }
  return (
    <Select
      label={t('profile')}
      prefix={t('profile')}
      value={value}
      options={options.length > 0 ? options : [{ value, label: value }]}
      onChange={(name) => void choose(name)}
    />
  )
}

/** The text of the question that an answer belongs to. */
function questionOf(messages: readonly ChatMessage[], answer: number): string {
  const question = messages.slice(0, answer).findLast((message) => message.role === 'user')
  return question?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? ''
}

interface LogProps {
  conversation: Conversation
  onSend: (text: string, provider: 'set' | 'offline') => void
}

function Log({ conversation, onSend }: LogProps) {
  const { t } = useTranslation('chat')
  const content = useRef<HTMLDivElement>(null)
  const { messages } = conversation
  const scroller = useStickToEnd(content, messages.filter((message) => message.role === 'user').length)
  const moves = useMoveNames()
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant')
  return (
    <div
      ref={scroller}
      role="log"
      aria-label={t('conversation')}
      // A region that scrolls has to be reachable without a pointer.
      tabIndex={0}
      className="scroll-quiet flex min-h-0 flex-1 flex-col overflow-y-auto px-6 pt-2 pb-6 [scrollbar-gutter:stable_both-edges] narrow:px-4"
    >
      <div ref={content} className="mx-auto flex w-full max-w-178 grow flex-col gap-5">
        {messages.length === 0 && <EmptyChat profile={conversation.profile} onChoose={(text) => onSend(text, 'set')} />}
        {messages.map((message, index) => (
          <MessageTurn
            key={message.id}
            message={message}
            latest={index === lastAnswer}
            moves={moves}
            onRetry={
              index === messages.length - 1 && message.failure && !conversation.busy
                ? (provider) => onSend(questionOf(messages, index), provider)
                : undefined
            }
          />
        ))}
      </div>
    </div>
  )
}

/** The conversation with the robot. */
export function ChatScreen() {
  const { t } = useTranslation('chat')
  const conversation = useChat((state) => state.snapshot)
  const readFailure = useChat((state) => state.failure)
  const accept = useChat((state) => state.accept)
  const active = useProfiles((state) => state.snapshot?.active)
  const setDraft = useDraft((state) => state.setText)
  const [failure, setFailure] = useState<Failure | null>(null)

  const send = useCallback(
    async (text: string, provider: 'set' | 'offline' = 'set') => {
      setDraft('')
      const answer = await attempt('chat.send', { text, provider })
      setFailure(answer.ok ? null : answer.error)
      // What could not be sent goes back to where it was written.
      if (!answer.ok) setDraft(text)
    },
    [setDraft],
  )
  const stop = useCallback(async () => {
    const answer = await attempt('chat.stop', {})
    if (!answer.ok) setFailure(answer.error)
  }, [])
  const begin = async (): Promise<void> => {
    const answer = await attempt('chat.new', {})
    setFailure(answer.ok ? null : answer.error)
    if (answer.ok) accept(answer.value)
  }

  const busy = conversation?.busy === true
  useEffect(() => {
    if (!busy) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) void stop()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [busy, stop])

  const shown = failure ?? readFailure
  return (
    <>
      <header className="flex min-h-(--size-header) shrink-0 items-center gap-3 pr-4 pl-6 narrow:pr-3 narrow:pl-4">
        <h1 className="screen-title min-w-0 flex-1 truncate" tabIndex={-1}>
          {conversation?.title || t('newConversation')}
        </h1>
        <ProfileChoice value={active ?? conversation?.profile ?? 'default'} onFailure={setFailure} />
        <IconButton
          label={t('newChat')}
          onClick={() => void begin()}
          disabled={(conversation?.messages.length ?? 0) === 0}
        >
          <Plus />
        </IconButton>
      </header>
      {conversation ? (
        <Log conversation={conversation} onSend={(text, provider) => void send(text, provider)} />
      ) : (
        <div className="mx-auto grid w-full max-w-178 flex-1 content-start gap-4 px-6 pt-6">
          {!readFailure && <Skeleton className="h-15" />}
        </div>
      )}
      {shown && (
        <div className="mx-auto w-full max-w-190 shrink-0 px-6 pb-3 narrow:px-4">
          <FailureBanner failure={shown} />
        </div>
      )}
      <Composer busy={busy} onSend={(text) => void send(text)} onStop={() => void stop()} />
    </>
  )
}
