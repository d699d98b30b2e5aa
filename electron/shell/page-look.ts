import type { PageLook } from './window-state.ts'

/**
 * Writes into the page how it looked last time: language and theme are in force before its first script runs, and with
 * the screen's name it draws its frame without asking anybody. Without a look the page is left as it is.
 */
export function withLook(html: string, look: PageLook | null): string {
  if (look === null) return html
  const theme = look.theme === 'system' ? '' : ` data-theme="${look.theme}"`
  return html.replace(/<html[^>]*>/, `<html lang="${look.language}"${theme} data-screen="${look.screen}">`)
}
