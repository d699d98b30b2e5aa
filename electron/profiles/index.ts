export { createProfiles } from './profiles.ts'
export type * from './types.ts'
