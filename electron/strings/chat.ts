import { table } from './table.ts'

/** The Chat screen. */
export const chat = table({
  en: { title: 'Chat' },
  'zh-CN': { title: '对话' },
  fr: { title: 'Discussion' },
})
