/** Languages that the offline brain reads and answers in. */
export type BrainLanguage = 'en' | 'fr' | 'zh-CN'

const HAN = /\p{Script=Han}/u
const FRENCH_LETTERS = /[àâçèêëîïôœùûÿ]|é(?!$)/i
const FRENCH_WORDS = new Set(
  (
    'je tu il elle nous vous on le la les un une des du de au aux et est suis es sont ai as ce cette ces mon ma mes ton ta ' +
    'qui que quoi quel quelle quels quelles comment pourquoi combien dans pour avec sur pas ne moi toi fait quelle heure ' +
    'bonjour salut merci oui non regarde montre danse arrete cherche dis donne peux temps demain'
  ).split(' '),
)
const ENGLISH_WORDS = new Set(
  (
    'the a an i you he she it we they is are am was be do does did what which who how why when where in on at of for to and ' +
    'my your me please show tell look dance stop search find say hello thanks yes no with today'
  ).split(' '),
)

/** Language of one sentence, by script and by its small words; English when nothing tells. */
export function languageOf(sentence: string): BrainLanguage {
  if (HAN.test(sentence)) return 'zh-CN'
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = (set: ReadonlySet<string>): number => words.filter((word) => set.has(withoutAccents(word))).length
  const french =
    count(FRENCH_WORDS) + (FRENCH_LETTERS.test(sentence) ? 1 : 0) + (/\b[cdjlmnqst]['’]\p{L}/iu.test(sentence) ? 1 : 0)
  // "let's", "it's" and "don't" look like elisions as well, so English wins a tie.
  return french > count(ENGLISH_WORDS) ? 'fr' : 'en'
}

export function withoutAccents(text: string): string {
  return text.replaceAll('œ', 'oe').normalize('NFD').replace(/\p{M}/gu, '')
}
