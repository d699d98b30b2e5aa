import { Lightbulb } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { Button, SourceGlyph } from '../../components/index.ts'
import { useNavigation } from '../../stores/navigation.ts'
import { useSettings } from '../../stores/settings.ts'
import { useTools } from '../../stores/tools.ts'

import type { Suggestion } from '../../../electron/contract/index.ts'

function useSuggestions(profile: string, version: number, language: string): readonly Suggestion[] {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  useEffect(() => {
    let current = true
    void attempt('chat.suggestions', {}).then((answer) => {
      if (current && answer.ok) setSuggestions(answer.value.suggestions)
    })
    return () => {
      current = false
    }
  }, [profile, version, language])
  return suggestions
}

/** What stands in a conversation without messages: sentences that work with the tools enabled now. */
export function EmptyChat({ profile, onChoose }: { profile: string; onChoose: (text: string) => void }) {
  const { t, i18n } = useTranslation('chat')
  const go = useNavigation((state) => state.go)
  const provider = useSettings((state) => state.snapshot?.provider.kind)
  const version = useTools((state) => state.version)
  const list = useTools((state) => state.lists[profile])
  const load = useTools((state) => state.load)
  const suggestions = useSuggestions(profile, version, i18n.language)

  useEffect(() => void load(profile), [load, profile])

  const tools = list?.tools ?? []
  const usable = tools.filter((tool) => !tool.system && tool.enabled && tool.available)
  const source = (id: string) => tools.find((tool) => tool.id === id)?.source ?? 'built-in'
  const short = (id: string): string => tools.find((tool) => tool.id === id)?.shortName ?? id
  return (
    <div className="my-auto grid gap-6 py-6">
      <div className="grid gap-1">
        <h2 className="screen-display text-display font-strong">{t('empty.title')}</h2>
        <p className="text-body text-ink-2">{list ? t('empty.text', { count: usable.length }) : ' '}</p>
      </div>
      <ul aria-label={t('empty.list')} className="grid gap-3 sm:grid-cols-2">
        {suggestions.map(({ text, toolId }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onChoose(text)}
              className="flex min-h-15 w-full items-center gap-3 rounded-card border border-line bg-raised px-3 py-2 text-left shadow-raised transition-colors duration-instant hover:bg-hover"
            >
              <SourceGlyph source={source(toolId)} />
              <span className="grid min-w-0">
                <span className="font-medium text-pretty">{text}</span>
                <span className="mono truncate text-ink-3">{short(toolId)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {provider === 'offline' && (
        <div role="status" className="flex items-center gap-3 rounded-card bg-hover px-4 py-3">
          <Lightbulb aria-hidden="true" className="size-4.5 shrink-0 text-ink-2" />
          <p className="min-w-0 flex-1 text-pretty text-ink-2">
            <strong className="font-strong text-ink">{t('empty.noModel')}</strong> {t('empty.noModelText')}
          </p>
          <Button size="s" onClick={() => go('settings')}>
            {t('empty.choose')}
          </Button>
        </div>
      )}
    </div>
  )
}
