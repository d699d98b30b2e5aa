export { createExchange } from './exchange.ts'
export type * from './types.ts'
