/**
 * Waits for the promise, but no longer than this. True if it settled, well or badly; its error is the
 * caller's business elsewhere.
 */
export async function settleWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true
      ),
      late
    ])
  } finally {
    clearTimeout(timer)
  }
}
