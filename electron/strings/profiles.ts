import { table } from './table.ts'

/** The Profiles screen. */
export const profiles = table({
  en: { title: 'Profiles' },
  'zh-CN': { title: '角色' },
  fr: { title: 'Profils' },
})
