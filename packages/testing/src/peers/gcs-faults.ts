export type GcsOperation = 'insert' | 'start' | 'part' | 'download' | 'metadata' | 'delete' | 'list'

export type GcsFault =
  /** Answered with this status, without any effect. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** Executed, but the connection closes before the response. */
  | { kind: 'drop-reply' }
  /**
   * The connection closes after this many bytes of the body: of the request for uploads, of the response for
   * downloads.
   */
  | { kind: 'cut'; afterBytes: number; withoutGeneration?: boolean }
  /** No response, or no more of it, after this many bytes of the body, and the connection stays open. */
  | { kind: 'stall'; afterBytes: number }
  /** No response to an upload, which is executed once its client has gone. */
  | { kind: 'late' }
  /** A download's range is ignored: 200 and the whole object. */
  | { kind: 'ignore-range' }
  /** A download gets only its range, but with 200 and without a header that says so. */
  | { kind: 'bare-range' }
  /** A download gets 206 with bytes that start this much later than requested. */
  | { kind: 'shift-range'; bytes: number }
  /** A download gets 206 with only the first bytes of its range, as a server may do. */
  | { kind: 'shorten-range'; bytes: number }
  /** Executed, but the object has the crc32c of other bytes. */
  | { kind: 'wrong-crc32c' }
  /** Only the first bytes of a part are kept, as Google may do. */
  | { kind: 'keep-only'; bytes: number }

export type FaultPlan = GcsFault & {
  on: GcsOperation
  /** How many requests it affects. Default 1. */
  times?: number
  /** How many requests of that kind pass first. Default 0. */
  after?: number
}

export interface PlannedFault {
  /** How many requests it has affected: a test of a fault that never occurred proves nothing. */
  hits: () => number
}

export interface Faults {
  plan: (fault: FaultPlan) => PlannedFault
  /** The fault for this request, if any. */
  next: (operation: GcsOperation) => GcsFault | undefined
}

export function createFaults(): Faults {
  const planned: Array<{ fault: FaultPlan; wait: number; left: number; hits: number }> = []
  return {
    plan: (fault) => {
      const entry = { fault, wait: fault.after ?? 0, left: fault.times ?? 1, hits: 0 }
      planned.push(entry)
      return { hits: () => entry.hits }
    },
    next: (operation) => {
      const entry = planned.find(({ fault, left }) => fault.on === operation && left > 0)
      if (entry === undefined) return undefined
      if (entry.wait > 0) {
        entry.wait--
        return undefined
      }
      entry.left--
      entry.hits++
      return entry.fault
    }
  }
}
