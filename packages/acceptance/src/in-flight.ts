/** Works through the numbers below `count`, `lanes` at a time. */
export async function inFlight(
  count: number,
  lanes: number,
  work: (number: number) => Promise<void>
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++)
    })
  )
}
