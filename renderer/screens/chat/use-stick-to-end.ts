import { useLayoutEffect, useRef } from 'react'

import type { RefObject } from 'react'

/** How near to the end, in pixels, still counts as being there. */
const NEAR = 80

/**
 * Whether the end is followed after a scroll. Only moving up leaves it: while content grows, the app's own scrolling
 * comes late and is far from the new end without anybody having gone away.
 */
export function followsEnd(following: boolean, before: number, after: number, fromEnd: number): boolean {
  if (fromEnd < NEAR) return true
  return after < before ? false : following
}

/**
 * Keeps a scrolling element at its end while its content grows, unless the person has scrolled away from it. A change of
 * `said` (how often the person spoke) goes to the end in any case.
 */
export function useStickToEnd(content: RefObject<HTMLElement | null>, said: number): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  useLayoutEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (!element || !inner) return
    let before = element.scrollTop
    const onScroll = (): void => {
      const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight
      following.current = followsEnd(following.current, before, element.scrollTop, fromEnd)
      before = element.scrollTop
    }
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(inner)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [content])
  useLayoutEffect(() => {
    const element = scroller.current
    following.current = true
    if (element) element.scrollTop = element.scrollHeight
  }, [said])
  return scroller
}
