import i18next from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { toolDescription } from '../../app/language.ts'
import { cx } from '../../components/index.ts'
import { useToasts } from '../../stores/toasts.ts'
import { useTools } from '../../stores/tools.ts'

import { textOnScreen, useDrafts } from './draft-store.ts'
import { usePromptTokens } from './meter/use-prompt-tokens.ts'
import { ProblemCount, ProfileFile } from './profile-file.tsx'
import { PromptDialog } from './prompt/prompt-dialog.tsx'
import { effectsOf, ownTokens } from './prompt/prompt-parts.ts'
import { VoiceChoice } from './voice-choice.tsx'

import type { Draft } from './drafts.ts'
import type { KnownTool } from './editor/tools-colours.ts'

export { ProblemCount }

/** Characters of a description beside the completion. */
const MAX_DESCRIPTION = 120
/** Tools that the prompt does not mention and that are named. */
const MAX_UNMENTIONED = 4

function useKnownTools(profile: string): readonly KnownTool[] {
  const { t } = useTranslation('common')
  const list = useTools((state) => state.lists[profile])
  return useMemo(
    () =>
      (list?.tools ?? [])
        .filter((tool) => !tool.system)
        .map((tool) => ({
          id: tool.id,
          source: tool.source,
          note: [t(`source.${tool.source}`), toolDescription(tool).slice(0, MAX_DESCRIPTION)].filter(Boolean).join(' · '),
        })),
    [list, t],
  )
}

/** Puts what they stand for in the place of all placeholders, as one step that can be taken back. */
async function writeOut(name: string): Promise<string | null> {
  const text = textOnScreen(name, 'instructions.txt')
  const answer = await attempt('profiles.writeOut', { name, text })
  if (!answer.ok) return failureText(i18next.t, answer.error).message
  useDrafts.getState().type(name, 'instructions.txt', answer.value.text)
  return null
}

function useUnmentioned(ids: readonly string[]): string {
  const { i18n } = useTranslation()
  const more = ids.length - MAX_UNMENTIONED
  const names = [...ids.slice(0, MAX_UNMENTIONED), ...(more > 0 ? [`+${more}`] : [])]
  return new Intl.ListFormat(i18n.language).format(names)
}

function InstructionsFile({ draft }: { draft: Draft }) {
  const { t } = useTranslation('editor')
  const [reading, setReading] = useState(false)
  const { tokens, unmentioned, parts } = usePromptTokens(draft)
  const { name, readOnlyFiles } = draft.document
  const names = useUnmentioned(unmentioned)
  const effects = useMemo(
    () => effectsOf(parts, { default: t('placeholder.default'), known: t('placeholder.known') }),
    [parts, t],
  )
  const fixed = readOnlyFiles.includes('instructions.txt') || draft.gone
  const replace = async (): Promise<void> => {
    const failed = await writeOut(name)
    useToasts.getState().show({ text: failed ?? t('prompt.writtenOut') })
    if (failed === null) setReading(false)
  }
  return (
    <>
      <ProfileFile
        draft={draft}
        file="instructions.txt"
        effects={effects}
        notes={[
          unmentioned.length > 0 && (
            <>
              {t('prompt.unmentioned')} <span className="mono">{names}</span>. {t('prompt.unmentionedHint')}
            </>
          ),
        ]}
        tail={
          <>
            {tokens !== null && (
              <span className="text-small text-ink-3">{t('tokens', { count: ownTokens(parts) })}</span>
            )}
            <button
              type="button"
              className="rounded-tick text-small text-accent-ink underline underline-offset-2 hover:no-underline"
              onClick={() => setReading(true)}
            >
              {t('prompt.open')}
            </button>
          </>
        }
        className="min-h-48 flex-[3_1_0]"
      />
      {reading && (
        <PromptDialog
          name={name}
          texts={draft.texts}
          onWriteOut={effects.length > 0 && !fixed ? () => void replace() : null}
          onClose={() => setReading(false)}
        />
      )}
    </>
  )
}

/** The files of a profile as they are, byte for byte. */
export function ProfileFiles({ draft, className }: { draft: Draft; className?: string }) {
  const { t } = useTranslation(['profiles', 'editor'])
  const known = useKnownTools(draft.document.name)
  return (
    <div className={cx('scroll-quiet -m-1 min-h-0 flex-col gap-3 overflow-y-auto p-1', className)}>
      <ProfileFile
        draft={draft}
        file="tools.txt"
        known={known}
        notes={[draft.texts['tools.txt'] === null && t('files.inherited')]}
        className="min-h-48 flex-[5_1_0]"
      />
      <InstructionsFile draft={draft} />
      <ProfileFile
        draft={draft}
        file="greeting.txt"
        empty={t('editor:greeting.none')}
        tail={<VoiceChoice draft={draft} />}
        className="min-h-24 flex-[0.6_1_0]"
      />
    </div>
  )
}
