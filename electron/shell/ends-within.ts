/** Whether `work` ended in time. @throws what it throws. */
export async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then((): true => true), late])
  } finally {
    clearTimeout(timer)
  }
}
