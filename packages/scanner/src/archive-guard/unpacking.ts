import type { UnpackProblem } from '../unpack/seven-zip.js'
import type { Budget } from './budget.js'
import { Refusal, type RefusalReason } from './refusals.js'
import type { SequentialReader } from './sequential-reader.js'

/** Dependencies of the guards that unpack. */
export interface UnpackGuardDeps {
  budget: Budget
  signal: AbortSignal | undefined
  /** @param unseen whether the scanner does not find the file by itself */
  onFile: (content: SequentialReader, unseen: boolean) => Promise<void>
}

const reasonByProblem: Record<Exclude<UnpackProblem, 'time'>, RefusalReason> = {
  encrypted: 'ArchiveEncrypted',
  damaged: 'ArchiveDamaged',
  // Only for RAR archives.
  stopped: 'RarDamaged',
  unsupported: 'ArchiveUnsupported',
  memory: 'MemoryLimit'
}

/** Whether more time or memory may solve the problem. */
export const isRoomLimit = (problem: UnpackProblem): boolean => problem === 'time' || problem === 'memory'

export function errorOf(problem: UnpackProblem, budget: Pick<Budget, 'limitError' | 'timeError'>): Error {
  if (problem === 'time') return budget.timeError()
  const reason = reasonByProblem[problem]
  return problem === 'memory' ? budget.limitError(reason) : new Refusal(reason)
}
