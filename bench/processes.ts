import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in ticks of 10 ms (`getconf CLK_TCK` is 100 on every system that Electron runs on). */
const TICK_MS = 10

function statOf(pid: number): { parent: number; cpuMs: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; fields count from the last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    // The process ended in between.
    return null
  }
}

/** A process and all below it. Linux only. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? statOf(pid) : null
    if (stat !== null) parents.set(pid, stat.parent)
  }
  const isBelow = (pid: number | undefined): boolean => pid === root || (pid !== undefined && isBelow(parents.get(pid)))
  return [...parents.keys()].filter(isBelow)
}

/** Proportional memory of the processes, MB: shared pages count once in the sum. */
export function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  })
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}

/** CPU time used so far, ms. */
export const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0)
