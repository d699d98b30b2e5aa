import { useLayoutEffect } from 'react'

import { useCatalogue } from './catalogue-store.ts'

import type { RefObject } from 'react'

/** Brings the list back to where it was when one returns to it, from a Space or from another screen. */
export function useScrollMemory(body: RefObject<HTMLDivElement | null>, active: boolean): void {
  useLayoutEffect(() => {
    const element = body.current
    if (!active || !element) return
    element.scrollTop = useCatalogue.getState().scrollTop
    const remember = (): void => {
      useCatalogue.setState({ scrollTop: element.scrollTop })
    }
    element.addEventListener('scroll', remember, { passive: true })
    // Another question begins at its top.
    const unsubscribe = useCatalogue.subscribe(({ scrollTop, result }, before) => {
      if (scrollTop === 0 && result !== before.result) element.scrollTop = 0
    })
    return () => {
      element.removeEventListener('scroll', remember)
      unsubscribe()
    }
  }, [body, active])
}
