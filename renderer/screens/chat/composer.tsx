import { ArrowUp, Square } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, KeyCap } from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useSettings } from '../../stores/settings.ts'

import { useDraft } from './draft-store.ts'

import type { SettingsSnapshot } from '../../../electron/contract/index.ts'
import type { KeyboardEvent } from 'react'

/** Highest the field grows before it scrolls, in pixels: about seven lines. */
const MAX_HEIGHT = 176

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Who answers: the model that is set up, or the one that the profile in use names at the same address. */
function useProviderText(snapshot: SettingsSnapshot | null): string {
  const { t } = useTranslation('chat')
  const own = useProfiles(({ snapshot: known }) => known?.profiles.find(({ name }) => name === known.active)?.model)
  if (!snapshot) return ''
  const { kind, model, baseUrl } = snapshot.provider
  if (kind === 'offline' || own?.kind === 'offline') return t('offlineBrain')
  return t('modelAt', { model: own?.model ?? model, host: hostOf(baseUrl) })
}

export interface ComposerProps {
  busy: boolean
  onSend: (text: string) => void
  onStop: () => void
}

/** Where a message is written. Enter sends, Shift Enter breaks the line, Escape stops what is under way. */
export function Composer({ busy, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation('chat')
  const { text, setText } = useDraft()
  const field = useRef<HTMLTextAreaElement>(null)
  const provider = useProviderText(useSettings((state) => state.snapshot))

  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`
  }, [text])

  const send = (): void => {
    if (busy || text.trim() === '') return
    onSend(text.trim())
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is composed, Enter belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && busy) {
      onStop()
    }
  }
  return (
    <div className="shrink-0 px-6 pb-4 narrow:px-4">
      <form
        aria-label={t('composer')}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        className="mx-auto grid max-w-178 gap-1 rounded-sheet border border-control bg-raised p-2 shadow-raised focus-within:outline-2 focus-within:outline-focus"
      >
        <textarea
          ref={field}
          rows={1}
          maxLength={32_000}
          aria-label={t('message')}
          placeholder={t('placeholder')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="scroll-quiet max-h-44 resize-none bg-transparent px-2 py-1.5 text-read outline-none placeholder:text-ink-3"
        />
        <div className="flex items-center gap-3 pl-2">
          <span className="min-w-0 truncate text-small text-ink-3">{provider}</span>
          <span className="ml-auto" />
          {busy ? (
            <Button size="s" icon={<Square className="fill-current" />} onClick={onStop}>
              {t('stop')}
              <KeyCap keys={['Esc']} />
            </Button>
          ) : (
            <Button type="submit" size="s" variant="primary" icon={<ArrowUp />} disabled={text.trim() === ''}>
              {t('send')}
            </Button>
          )}
        </div>
      </form>
    </div>
  )
}
