import { setNonce } from 'get-nonce'

/** The nonce of this page load, which every `<style>` made by a library must carry; `undefined` outside the app. */
export function cspNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content && !content.startsWith('__') ? content : undefined
}

/** Gives the nonce to the libraries that ask `get-nonce` for it. Call once, before the first render. */
export function applyCspNonce(): void {
  const nonce = cspNonce()
  if (nonce) setNonce(nonce)
}
