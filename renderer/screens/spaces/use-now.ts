import { useEffect, useState } from 'react'

/** Milliseconds since 1970, again every `everyMs` while `running`; stands still otherwise and while the window is hidden. */
export function useNow(running: boolean, everyMs = 200): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, everyMs)
    return () => clearInterval(timer)
  }, [running, everyMs])
  return now
}
