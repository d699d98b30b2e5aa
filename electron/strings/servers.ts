import { table } from './table.ts'

/** MCP servers that are no Spaces. */
export const servers = table({
  en: {},
  'zh-CN': {},
  fr: {},
})
