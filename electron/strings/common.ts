import { table } from './table.ts'

export const common = table({
  en: { appName: 'Reachy Mini Companion' },
  'zh-CN': { appName: 'Reachy Mini Companion' },
  fr: { appName: 'Reachy Mini Companion' },
})
