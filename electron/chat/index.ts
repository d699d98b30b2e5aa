export { createChat } from './chat.ts'
export type { ChatDeps } from './chat.ts'
export type * from './types.ts'
