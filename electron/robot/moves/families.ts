import type { MoveFamily } from '../../contract/index.ts'

/** Stems of the public emotions: the name without the number at its end. */
const STEMS: Readonly<Record<Exclude<MoveFamily, 'dance' | 'other'>, readonly string[]>> = {
  joy: [
    ...['cheerful', 'enthusiastic', 'laughing', 'success', 'proud', 'loving', 'grateful', 'welcoming', 'amazed'],
    ...['electric', 'dance'],
  ],
  calm: ['serenity', 'calming', 'relief', 'understanding', 'attentive', 'yes', 'helpful'],
  curious: ['curious', 'inquiring', 'thoughtful', 'come'],
  unsure: ['confused', 'lost', 'uncertain', 'incomprehensible', 'indifferent', 'oops', 'shy', 'uncomfortable'],
  sad: [
    ...['sad', 'downcast', 'lonely', 'resigned', 'yes_sad', 'no_sad', 'exhausted', 'tired', 'sleep', 'boredom'],
    'dying',
  ],
  fear: ['fear', 'scared', 'anxiety', 'surprised'],
  anger: [
    ...['furious', 'rage', 'irritated', 'frustrated', 'displeased', 'impatient', 'contempt', 'disgusted'],
    ...['reprimand', 'go_away', 'no', 'no_excited'],
  ],
}
const FAMILY_OF = new Map(
  Object.entries(STEMS).flatMap(([family, stems]) => stems.map((stem) => [stem, family as MoveFamily] as const)),
)

/** The family of a recorded emotion by its name; `other` for a name that nobody placed yet. */
export function familyOf(name: string): MoveFamily {
  return FAMILY_OF.get(name.replace(/\d+$/, '')) ?? 'other'
}
