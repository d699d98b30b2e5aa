/** Programs that were started and are not gone yet. */
export interface Programs {
  /** Until `gone` resolves. `kill` must work at once, without waiting for anything. */
  add(key: string, program: { gone: Promise<void>; kill: () => void }): void
  /** When those of a key (all without one) are gone. */
  ended(key?: string): Promise<void>
}

/** When this process ends in spite of everything, the programs do not stay behind. */
export function createPrograms(): Programs {
  const running = new Set<{ key: string; gone: Promise<void>; kill: () => void }>()
  const killAll = (): void => running.forEach(({ kill }) => kill())

  return {
    add(key, program) {
      const entry = { key, ...program }
      if (running.size === 0) process.once('exit', killAll)
      running.add(entry)
      void program.gone.then(() => {
        running.delete(entry)
        if (running.size === 0) process.removeListener('exit', killAll)
      })
    },
    async ended(key) {
      await Promise.all([...running].filter((one) => key === undefined || one.key === key).map(({ gone }) => gone))
    },
  }
}
