/**
 * What the work costs in processor time, which, unlike the clock's, does not grow because others keep the
 * machine busy.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
