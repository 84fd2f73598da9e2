/** Checks that are further apart say nothing about the time between them. */
const MAX_GAP_MS = 5_000
/** An outage this old will not end in the seconds that a request could wait: new requests fail at once. */
const LASTING_MS = 30_000

/** Remembers since when no worker has taken jobs from a queue, and says when a request need not wait. */
export interface WorkerWatch {
  saw: (isAnyoneTaking: boolean, now: number) => void
  /** Redis did not answer, which does not mean that no worker exists. */
  sawNothing: () => void
  isWaitOver: (startedAt: number, now: number) => boolean
}

export function createWorkerWatch({ noWorkerAfterMs }: { noWorkerAfterMs: number }): WorkerWatch {
  let noneSince: number | undefined
  let lookedAt = -Infinity
  return {
    saw: (isAnyoneTaking, now) => {
      if (isAnyoneTaking) noneSince = undefined
      else if (noneSince === undefined || now - lookedAt > MAX_GAP_MS) noneSince = now
      lookedAt = now
    },
    sawNothing: () => {
      noneSince = undefined
    },
    isWaitOver: (startedAt, now) =>
      noneSince !== undefined &&
      (now - Math.max(noneSince, startedAt) >= noWorkerAfterMs || now - noneSince >= LASTING_MS)
  }
}
