export type GcsOperation = 'insert' | 'start' | 'part' | 'download' | 'metadata' | 'delete' | 'list'

export type GcsFault =
  /** Answered with this status, nothing done. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** Done, but the connection goes before the answer. */
  | { kind: 'drop-reply' }
  /**
   * The connection goes after this many bytes of the body: of the request's for uploads, of the answer's for
   * downloads.
   */
  | { kind: 'cut'; afterBytes: number; withoutGeneration?: boolean }
  /** No answer, or no more of it, after this many bytes of the body, and the connection stays. */
  | { kind: 'stall'; afterBytes: number }
  /** No answer to an upload, which is done all the same once its client has gone. */
  | { kind: 'late' }
  /** A download's range is ignored: 200 and the whole object. */
  | { kind: 'ignore-range' }
  /** A download is answered with its range alone, but 200 and without a header that would tell. */
  | { kind: 'bare-range' }
  /** A download is answered 206 with bytes that begin this much later than asked for. */
  | { kind: 'shift-range'; bytes: number }
  /** A download is answered 206 with only the first bytes of its range, as a server is free to do. */
  | { kind: 'shorten-range'; bytes: number }
  /** Done, but the object has the crc32c of other bytes. */
  | { kind: 'wrong-crc32c' }
  /** Only the first bytes of a part are kept, as Google is free to do. */
  | { kind: 'keep-only'; bytes: number }

export type FaultPlan = GcsFault & {
  on: GcsOperation
  /** How many requests it hits. Default 1. */
  times?: number
  /** How many requests of that kind pass first. Default 0. */
  after?: number
}

export interface PlannedFault {
  /** How many requests it has hit so far: a test of a fault that never struck proves nothing. */
  hits: () => number
}

export interface Faults {
  plan: (fault: FaultPlan) => PlannedFault
  /** The fault that hits this request, if any. */
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
