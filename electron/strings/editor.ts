import { table } from './table.ts'

export const editor = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
