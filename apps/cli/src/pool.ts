/** Runs the work for each item in order, with limited concurrency. */
export async function eachInParallel<T>(
  items: readonly T[] | AsyncGenerator<T>,
  atOnce: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  const queue = Array.isArray(items) ? (items as readonly T[]).values() : (items as AsyncGenerator<T>)
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for await (const item of queue) await work(item)
    })
  )
}
