import { existsSync, readFileSync } from 'node:fs'

/** Linux reports hundredths of a second to every program. */
const MS_PER_TICK = 10
const USER_TICKS = 11
const SYSTEM_TICKS = 12

const hasProcFiles = existsSync('/proc/self/stat')

/**
 * Reports the CPU time of a process, which does not depend on other load. Systems without /proc use elapsed
 * time instead.
 */
export function createCpuClock(pid: number): () => number {
  if (!hasProcFiles) return () => performance.now()
  let lastMs = 0
  return () => {
    try {
      lastMs = cpuMsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      // The process has ended.
    }
    return lastMs
  }
}

function cpuMsIn(stat: string): number {
  // The second field is the program's name, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK
}
