import { useTranslation } from 'react-i18next'

import { VOICES } from '../../../electron/contract/constants.ts'
import { Select } from '../../components/index.ts'

import { useDrafts } from './draft-store.ts'
import { shownText } from './drafts.ts'

import type { SelectOption } from '../../components/index.ts'
import type { Draft } from './drafts.ts'

/** The text of voice.txt with another voice in it; `null`: the robot's own, no file. What stands around the name stays. */
export function withVoice(text: string, voice: string): string | null {
  if (voice === '') return null
  const held = text.trim()
  return held === '' ? `${voice}\n` : text.replace(held, () => voice)
}

/** The voice of a profile, out of the robot's. A name that the robot does not have stays until another one is chosen. */
export function VoiceChoice({ draft }: { draft: Draft }) {
  const { t } = useTranslation('editor')
  const { name, readOnlyFiles } = draft.document
  const text = shownText(draft, 'voice.txt')
  const held = text.trim()
  const known = VOICES.find((voice) => voice.toLowerCase() === held.toLowerCase())
  const options: SelectOption<string>[] = [
    { value: '', label: t('voice.none'), note: t('voice.noneNote', { voice: VOICES[0] }) },
    ...VOICES.map((voice) => ({ value: voice, label: voice })),
    ...(held !== '' && known === undefined ? [{ value: held, label: held.slice(0, 40), note: t('voice.foreign') }] : []),
  ]
  return (
    <Select
      label={t('voice.label')}
      prefix={t('voice.label')}
      value={known ?? held}
      options={options}
      disabled={readOnlyFiles.includes('voice.txt') || draft.gone}
      onChange={(voice) => useDrafts.getState().type(name, 'voice.txt', withVoice(text, voice))}
    />
  )
}
