export interface LatestOnly<In> {
  /** Runs the work with this input after `delayMs` without another call; an earlier one that waits is forgotten. */
  schedule: (input: In, delayMs?: number) => void
  /** Forgets what waits; what is under way ends without being told. */
  cancel: () => void
}

export interface LatestOnlyOptions<In, Out> {
  run: (input: In) => Promise<Out>
  /** Told about the newest run only: answers that were overtaken are dropped, in whatever order they arrive. */
  done: (output: Out, input: In) => void
  failed: (error: unknown, input: In) => void
  delayMs: number
}

/** Debounces work whose answers may overtake each other, such as a search while someone types. */
export function latestOnly<In, Out>({ run, done, failed, delayMs }: LatestOnlyOptions<In, Out>): LatestOnly<In> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0

  const start = (input: In): void => {
    newest += 1
    const mine = newest
    run(input).then(
      (output) => {
        if (mine === newest) done(output, input)
      },
      (error: unknown) => {
        if (mine === newest) failed(error, input)
      },
    )
  }

  return {
    schedule: (input, delay = delayMs) => {
      clearTimeout(timer)
      // What is under way is overtaken from now on, not only when the next one starts.
      newest += 1
      if (delay <= 0) start(input)
      else timer = setTimeout(() => start(input), delay)
    },
    cancel: () => {
      clearTimeout(timer)
      newest += 1
    },
  }
}
