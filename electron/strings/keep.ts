import { table } from './table.ts'

/** What keeps installed Spaces as they were approved: changes, repairs, import. */
export const keep = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
