import { useEffect, useState } from 'react'

/** Rows that fill the tallest window, and rows that are made within one frame. */
const FIRST = 16
const PORTION = 12

/**
 * How many of `all` rows are drawn: a screenful at once, the rest in portions, so that opening a long list never holds the
 * window up. Once drawn, rows stay.
 */
export function useGradually(all: number): number {
  const [drawn, setDrawn] = useState(FIRST)
  useEffect(() => {
    if (drawn >= all) return
    const timer = setTimeout(() => setDrawn(drawn + PORTION))
    return () => clearTimeout(timer)
  }, [drawn, all])
  return Math.min(drawn, all)
}

/** How many rows of each group are drawn when `drawn` rows are, from the top. */
export function portions(sizes: readonly number[], drawn: number): number[] {
  let left = drawn
  return sizes.map((size) => {
    const here = Math.min(size, left)
    left -= here
    return here
  })
}
