/**
 * Characters that a person does not see: zero-width and bidirectional control, soft hyphen, fillers, variation selectors
 * beyond the two of emoji, and tag characters, which carry whole sentences (Unicode Technical Report 36, section 3).
 */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u
/** The two joiners: invisible too, and needed between the parts of an emoji and in Persian or Indian scripts. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\p{M}\u{1f3fb}-\u{1f3ff}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d]/u

/** Letters of other scripts that are drawn like Latin ones (a part of Unicode Technical Standard 39, confusables). */
const CONFUSABLE = new Map(
  Object.entries({
    a: 'аɑα',
    b: 'Ьʙ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еҽ',
    g: 'ɡ',
    h: 'һ',
    i: 'іıιӏ',
    j: 'јϳ',
    k: 'κк',
    l: 'ⅼ',
    m: 'м',
    n: 'ո',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'т',
    u: 'υս',
    v: 'ѵν',
    w: 'ԝѡ',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)

/** Whether a text holds characters that a person does not see. */
export const hidesCharacters = (text: string): boolean => INVISIBLE.test(text) || STRAY_JOINER.test(text)

/** The text as it looks: without what is not seen, compatibility forms (full width, mathematical letters) as plain ones. */
export function visibleText(text: string): string {
  return text
    .replace(new RegExp(`${INVISIBLE.source}|[\\u200c\\u200d]`, 'gu'), '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
}

/** A word of Latin letters with one of another script among them, which is drawn alike. */
export function imitatesLetters(text: string): boolean {
  const words = visibleText(text).match(/\p{L}+/gu) ?? []
  return words.some((word) => {
    if (!/[A-Za-z]/.test(word)) return false
    return [...word.toLowerCase()].some((letter) => CONFUSABLE.has(letter))
  })
}

/** Small letters, letters of other scripts as the Latin ones they look like. */
export const foldLetters = (text: string): string =>
  [...text.toLowerCase()].map((letter) => CONFUSABLE.get(letter) ?? letter).join('')

/**
 * A text in the ways that a model may read it: as it looks, with imitated letters, with digits for letters, and with what
 * parts the letters of a word taken out (`i g n o r e`, `ig*nore`).
 */
export function readings(text: string): string[] {
  const visible = visibleText(text)
  const folded = foldLetters(visible)
  const digits = folded.replace(/[a-z0-9@$]+/g, (word) =>
    /[a-z]/.test(word) ? word.replace(/[01345@$]/g, (sign) => DIGITS[sign] ?? sign) : word,
  )
  const spaced = folded.replace(/(?<![a-z])(?:[a-z][\s.*_-]){3,}[a-z](?![a-z])/g, (word) => word.replace(/[^a-z]/g, ''))
  const marked = folded.replace(/[*_`~"'“”‘’[\](){}|]+/g, ' ').replace(/\s+/g, ' ')
  return [...new Set([visible, folded, digits, spaced, marked])]
}

const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', '@': 'a', $: 's' }
