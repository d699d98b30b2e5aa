import { table } from './table.ts'

/** The Spaces screen. */
export const spaces = table({
  en: { title: 'Spaces' },
  'zh-CN': { title: 'Spaces' },
  fr: { title: 'Spaces' },
})
