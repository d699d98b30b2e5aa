export { fileTime, replaceFile } from './atomic-file.ts'
export { createSettings } from './settings.ts'
export { createStorage } from './storage.ts'
export type * from './types.ts'
