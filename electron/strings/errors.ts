import { table } from './table.ts'

export const errors = table({ en: {}, 'zh-CN': {}, fr: {} })
