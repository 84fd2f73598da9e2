/**
 * Waits for the promise, but no longer than this. True if it settled in any way; the caller handles its error
 * elsewhere.
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
