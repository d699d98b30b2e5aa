/** Same keys, other words: what a translation of `T` must have. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> }

/** One area's texts in all languages; a missing or a surplus key does not compile. */
export function table<T>(texts: { en: T; 'zh-CN': Words<T>; fr: Words<T> }): {
  en: T
  'zh-CN': Words<T>
  fr: Words<T>
} {
  return texts
}
