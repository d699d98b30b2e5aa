import { table } from './table.ts'

export const exchange = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
