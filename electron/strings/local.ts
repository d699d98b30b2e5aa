import { table } from './table.ts'

export const local = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
