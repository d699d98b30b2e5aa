export { createExchange } from './exchange/index.ts'
export { createProfiles } from './profiles.ts'
export type * from './exchange/index.ts'
export type * from './types.ts'
