import { useSyncExternalStore } from 'react'

/** Where the window has room for one column only; the same width as in the style sheet. */
const NARROW = '(max-width: 1020px)'

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches)
}
