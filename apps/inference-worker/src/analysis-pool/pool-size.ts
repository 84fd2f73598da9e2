import { availableParallelism, totalmem } from 'node:os'

/** The heap limit of one process. Beyond it the process ends, and its job fails. */
export const PROCESS_HEAP_MB = 768
/** Memory for the worker itself, and for what a process uses outside its heap. */
const OTHER_MB = 512
const MB = 1024 * 1024

export interface Machine {
  cores: number
  /** The container's memory limit, or the machine's memory. */
  memoryBytes: number
}

function machineLimits(): Machine {
  // Not set, or larger than any machine: no limit.
  const limit = process.constrainedMemory()
  return { cores: availableParallelism(), memoryBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem() }
}

/** Processes that take every job: limited by spare cores and memory, at most 4. One more takes small jobs. */
export function defaultPoolSize({ cores, memoryBytes }: Machine = machineLimits()): number {
  const fitting = Math.floor((memoryBytes / MB - OTHER_MB) / PROCESS_HEAP_MB) - 1
  return Math.max(1, Math.min(4, cores - 1, fitting))
}
