import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** Whole seconds since a moment (milliseconds since 1970), counted on while it is shown. */
export function useSecondsSince(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [since])
  return Math.max(0, Math.floor((now - since) / SECOND_MS))
}
