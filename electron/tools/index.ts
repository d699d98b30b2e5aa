export { isOnlyLeftOut } from './offer.ts'
export { createTools } from './tools.ts'
export type { ToolsDeps } from './tools.ts'
export type * from './types.ts'
