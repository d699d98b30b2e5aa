import { useLayoutEffect, useRef } from 'react'

import type { RefObject } from 'react'

/** How near to the end, in pixels, still counts as being there. */
const NEAR = 80

/** Keeps a scrolling element at its end while its content grows, unless the person has scrolled away from it. */
export function useStickToEnd(content: RefObject<HTMLElement | null>): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (!element || !inner) return
    let atEnd = true
    const onScroll = (): void => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    }
    const observer = new ResizeObserver(() => {
      if (atEnd) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(inner)
    element.scrollTop = element.scrollHeight
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [content])
  return scroller
}
