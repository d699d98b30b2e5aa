export { createLocalTools } from './local.ts'
export type * from './types.ts'
