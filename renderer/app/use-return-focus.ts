import { useEffect, useRef } from 'react'

/**
 * Gives the focus back to what had it before a dialog opened, once the page behind is no longer inert; to `fallback`
 * when that element is gone.
 */
export function useReturnFocus(open: boolean, fallback?: () => HTMLElement | null): void {
  const opener = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  // Read while rendering: an effect would run after the dialog has taken the focus.
  if (open && !wasOpen.current) opener.current = document.activeElement
  wasOpen.current = open

  const fallbackRef = useRef(fallback)
  fallbackRef.current = fallback
  useEffect(() => {
    if (!open) return
    return () => {
      const target = opener.current
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return
        if (target instanceof HTMLElement && target.isConnected && target !== document.body) target.focus()
        else fallbackRef.current?.()?.focus()
      }, 0)
    }
  }, [open])
}
