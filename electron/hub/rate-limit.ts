/** Seconds to wait after a 429 that does not say how long. */
const UNTOLD_SECONDS = 60
/** The Hub's windows are 5 minutes (https://huggingface.co/docs/hub/rate-limits); an hour is nothing it would ask for. */
const LONGEST_SECONDS = 3600

/**
 * Seconds until the window opens, from the headers of a 429. `RateLimit: "api";r=0;t=55` tells what remains and for how
 * long (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-09.html); one second is added because `t`
 * is rounded. `Retry-After` counts when there is no such header, seconds or a date (RFC 9110, 10.2.3).
 */
export function secondsToWait(rateLimit: string | null, retryAfter: string | null, now: number): number {
  const told = /(?:^|;)\s*t=(\d+)/.exec(rateLimit ?? '')?.[1]
  if (told !== undefined) return clamp(Number(told) + 1)
  if (retryAfter === null) return UNTOLD_SECONDS
  if (/^\d+$/.test(retryAfter.trim())) return clamp(Number(retryAfter))
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? UNTOLD_SECONDS : clamp(Math.ceil((date - now) / 1000))
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, 1), LONGEST_SECONDS)
}

/** Below this part of what a window allows, only what a person asked for is sent. */
const SCARCE = 0.1

/**
 * Seconds for which background requests should wait, from the headers of any answer: until the window is over, when less
 * than a tenth of it is left; else 0. The names of the policies must agree when there are several.
 */
export function secondsOfCare(rateLimit: string | null, policy: string | null): number {
  const [, name, remaining, seconds] = /"([^"]*)"\s*;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(rateLimit ?? '') ?? []
  if (name === undefined) return 0
  const [, quota] = new RegExp(`"${escaped(name)}"\\s*;\\s*q=(\\d+)`).exec(policy ?? '') ?? []
  if (quota === undefined || Number(remaining) >= SCARCE * Number(quota)) return 0
  return clamp(Number(seconds) + 1)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The closed window of one Hub: requests are held back, not sent, until it opens. */
export interface RateWindow {
  close(seconds: number): void
  /** Background requests wait for this long. */
  spare(seconds: number): void
  /** Closed, or nearly used up. */
  isScarce(): boolean
  /** Whole seconds left; 0 when open. */
  secondsLeft(): number
}

export function createRateWindow(now: () => number = Date.now): RateWindow {
  let opensAt = 0
  let scarceUntil = 0
  return {
    close(seconds) {
      opensAt = Math.max(opensAt, now() + seconds * 1000)
    },
    spare(seconds) {
      scarceUntil = Math.max(scarceUntil, now() + seconds * 1000)
    },
    isScarce: () => now() < Math.max(opensAt, scarceUntil),
    secondsLeft: () => Math.max(0, Math.ceil((opensAt - now()) / 1000)),
  }
}
