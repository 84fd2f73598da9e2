import { existsSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for every program. */
const MS_PER_TICK = 10
const USER_TICKS = 11
const SYSTEM_TICKS = 12

const hasProcFiles = existsSync('/proc/self/stat')

/**
 * Tells how much of the processor a process has used, which does not depend on what else the machine does. On
 * systems without /proc the time that passed stands in for it.
 */
export function createCpuClock(pid: number): () => number {
  if (!hasProcFiles) return () => performance.now()
  let lastMs = 0
  return () => {
    try {
      lastMs = cpuMsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      // It has ended.
    }
    return lastMs
  }
}

function cpuMsIn(stat: string): number {
  // The second field is the program's name, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK
}
