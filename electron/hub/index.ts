export { isWhole } from './dataset.ts'
export { createHub, type HubDeps } from './hub.ts'
export type * from './types.ts'
