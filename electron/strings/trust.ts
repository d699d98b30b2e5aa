import { table } from './table.ts'

/** Approvals and warnings. */
export const trust = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
