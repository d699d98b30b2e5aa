import { table } from './table.ts'

/** The Settings screen. */
export const settings = table({
  en: { title: 'Settings' },
  'zh-CN': { title: '设置' },
  fr: { title: 'Réglages' },
})
