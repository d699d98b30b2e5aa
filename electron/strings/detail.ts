import { table } from './table.ts'

/** A Space looked at: README, its tools as forms, results of a try. */
export const detail = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
