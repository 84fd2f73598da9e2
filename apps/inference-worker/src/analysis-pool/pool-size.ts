import { availableParallelism, totalmem } from 'node:os'

/** The heap that one process may have. Beyond it the process ends, and its job fails. */
export const PROCESS_HEAP_MB = 768
/** For the worker itself, and for what a process holds beside its heap. */
const OTHER_MB = 512
const MB = 1024 * 1024

export interface Machine {
  cores: number
  /** What this container may use, or what the machine has. */
  memoryBytes: number
}

function thisMachine(): Machine {
  // Not set, or larger than any machine, where nothing is limited.
  const limit = process.constrainedMemory()
  return { cores: availableParallelism(), memoryBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem() }
}

/**
 * Processes that take every job: as many as there are cores to spare and memory for, at most 4. One more
 * takes small jobs.
 */
export function defaultPoolSize({ cores, memoryBytes }: Machine = thisMachine()): number {
  const fitting = Math.floor((memoryBytes / MB - OTHER_MB) / PROCESS_HEAP_MB) - 1
  return Math.max(1, Math.min(4, cores - 1, fitting))
}
