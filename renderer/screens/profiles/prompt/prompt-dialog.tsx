import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { Button, Dialog, FailureBanner, Skeleton } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'

import type { Failure, ProfileTexts, Prompt, PromptPart } from '../../../../electron/contract/index.ts'
import type { ReactNode } from 'react'

type Answer = { readonly prompt: Prompt } | { readonly failure: Failure } | null

/** The prompt of these texts, once per opening. */
function usePrompt(name: string, texts: ProfileTexts): Answer {
  const [answer, setAnswer] = useState<Answer>(null)
  useEffect(() => {
    let current = true
    void attempt('profiles.prompt', { name, texts }).then((got) => {
      if (current) setAnswer(got.ok ? { prompt: got.value } : { failure: got.error })
    })
    return () => {
      current = false
    }
  }, [name, texts])
  return answer
}

function Piece({ label, tail, children }: { label: ReactNode; tail?: ReactNode; children: string }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 px-3 pt-2">
        <h3 className="text-small font-strong text-ink-2">{label}</h3>
        {tail !== undefined && <span className="ml-auto text-small text-ink-3">{tail}</span>}
      </div>
      <p className="px-3 pt-0.5 pb-2.5 text-body wrap-anywhere whitespace-pre-wrap">{children.trim()}</p>
    </>
  )
}

function useOrigin(): (part: PromptPart) => string {
  const { t } = useTranslation('editor')
  return ({ origin, name }) =>
    origin === 'placeholder' ? t('prompt.origin.placeholder', { name: name ?? '' }) : t(`prompt.origin.${origin}`)
}

function Parts({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('editor')
  const originOf = useOrigin()
  return (
    <ol aria-label={t('prompt.parts')} className="divide-y divide-line rounded-card border border-line bg-sunken">
      {prompt.parts
        .filter(({ text }) => text.trim() !== '')
        .map((part, i) => (
          <li key={i}>
            <Piece label={originOf(part)} tail={t('tokens', { count: part.tokens })}>
              {part.text}
            </Piece>
          </li>
        ))}
    </ol>
  )
}

function Contents({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('editor')
  const { greeting, voice, unmentioned } = prompt
  return (
    <div className="grid gap-3">
      <p className="text-small text-ink-2">
        {t('prompt.total', { count: prompt.tokens })}{' '}
        {t('prompt.characters', { count: prompt.characters })}
      </p>
      <Parts prompt={prompt} />
      <section className="rounded-card border border-line bg-sunken">
        <Piece label={t('prompt.greeting')} tail={t(`prompt.from.${greeting.from}`)}>
          {greeting.text}
        </Piece>
      </section>
      <section className="rounded-card border border-line bg-sunken">
        <Piece label={t('prompt.voice')} tail={t(`prompt.from.${voice.from}`)}>
          {voice.name}
        </Piece>
      </section>
      {unmentioned.length > 0 && (
        <section className="grid gap-1 rounded-card bg-warn-soft px-3 py-2.5 text-ink-2">
          <h3 className="text-small font-strong text-ink">{t('prompt.unmentioned')}</h3>
          <ul className="flex flex-wrap gap-x-3 gap-y-0.5">
            {unmentioned.map((id) => (
              <li key={id} className="mono wrap-anywhere text-ink">
                {id}
              </li>
            ))}
          </ul>
          <p className="text-small">{t('prompt.unmentionedHint')}</p>
        </section>
      )}
    </div>
  )
}

export interface PromptDialogProps {
  name: string
  /** Unsaved ones included. */
  texts: ProfileTexts
  /** Replaces the placeholders in the file; `null`: there is none. */
  onWriteOut: (() => void) | null
  onClose: () => void
}

/** All that a model is told with a profile, in its parts, with where each comes from. */
export function PromptDialog({ name, texts, onWriteOut, onClose }: PromptDialogProps) {
  const { t } = useTranslation('editor')
  const answer = usePrompt(name, texts)
  const prompt = answer && 'prompt' in answer ? answer.prompt : null
  const copy = async (): Promise<void> => {
    const done = await navigator.clipboard.writeText(prompt?.text ?? '').then(
      () => true,
      () => false,
    )
    useToasts.getState().show({ text: done ? t('prompt.copied') : t('prompt.notCopied') })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('prompt.open')}
      description={t('prompt.text', { name })}
      width="l"
      footLead={onWriteOut && <Button onClick={onWriteOut}>{t('prompt.writeOut')}</Button>}
      foot={
        <Button icon={<Copy aria-hidden="true" />} disabled={prompt === null} onClick={() => void copy()}>
          {t('prompt.copy')}
        </Button>
      }
    >
      {answer === null && (
        <>
          <p role="status" className="sr-only">
            {t('prompt.loading')}
          </p>
          <Skeleton className="h-60" />
        </>
      )}
      {answer && 'failure' in answer && <FailureBanner failure={answer.failure} />}
      {prompt && <Contents prompt={prompt} />}
    </Dialog>
  )
}
