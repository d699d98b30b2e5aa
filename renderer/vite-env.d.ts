import type { CompanionBridge } from '../electron/contract/envelope.ts'

declare global {
  interface Window {
    /** Put there by the preload; absent when the page is opened outside the app. */
    readonly companion?: CompanionBridge
  }
}
