export { desktopArguments } from './arguments.ts'
export { startDesktop } from './desktop.ts'
export { registerAppScheme } from './protocol.ts'
export { claimInstance } from './single-instance.ts'
