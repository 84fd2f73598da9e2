import { AppError, onAbort } from '@filewright/runtime'

const FIRST_POLL_MS = 250
const MAX_POLL_MS = 1_000

export interface WaiterDeps<R, G> {
  jobId: string
  deadlineMs: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: G) => void) | undefined
  parseResult: (value: unknown) => R
  parseProgress: (value: unknown) => G
  /** A progress report that violates its contract, or whose listener threw. */
  onBadProgress: (error: unknown) => void
  deadlineError: () => AppError
  /** Called once. `abandoned` says that the job may still run although its result is no longer needed. */
  onSettled: (waiter: Waiter, abandoned: boolean) => void
}

/**
 * One request's side of a job: settles exactly once, by whatever comes first, and leaves no timer or
 * listener.
 */
export interface Waiter {
  readonly jobId: string
  readonly startedAt: number
  /** Adds the job to Redis again after it was lost; set once the first `add` succeeded. */
  addAgain: (() => Promise<void>) | undefined
  /** How often the job was added again because an earlier job with its id had failed. */
  revivals: number
  isSettled: () => boolean
  isDue: (now: number) => boolean
  /** Polling intervals grow; `pollSoon` makes the next one immediate. */
  pollLater: (now: number) => void
  pollSoon: () => void
  complete: (returnValue: unknown) => void
  /**
   * A poll found the job completed. Its last progress reports may still arrive: a waiter that reads them is
   * completed by the event that follows them, or by the next poll.
   */
  completeByPoll: (returnValue: unknown) => void
  fail: (error: AppError) => void
  abandon: (error: AppError) => void
  progress: (value: unknown) => void
}

export function createWaiter<R, G>(deps: WaiterDeps<R, G>): { waiter: Waiter; outcome: Promise<R> } {
  const { jobId, deadlineMs, signal, onProgress } = deps
  let resolve: (result: R) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const outcome = new Promise<R>((_resolve, _reject) => {
    resolve = _resolve
    reject = _reject
  })
  let settled = false
  let wasFoundCompleted = false
  let pollIntervalMs = FIRST_POLL_MS
  let nextPollAt = Date.now() + FIRST_POLL_MS

  function settle(abandoned: boolean, act: () => void): void {
    if (settled) return
    settled = true
    clearTimeout(deadline)
    stopListening()
    act()
    deps.onSettled(waiter, abandoned)
  }

  const waiter: Waiter = {
    jobId,
    startedAt: Date.now(),
    addAgain: undefined,
    revivals: 0,
    isSettled: () => settled,
    isDue: (now) => now >= nextPollAt,
    pollLater: (now) => {
      nextPollAt = now + pollIntervalMs
      pollIntervalMs = Math.min(pollIntervalMs * 2, MAX_POLL_MS)
    },
    pollSoon: () => {
      nextPollAt = 0
    },
    complete: (returnValue) =>
      settle(false, () => {
        try {
          resolve(deps.parseResult(returnValue))
        } catch (error) {
          reject(error)
        }
      }),
    completeByPoll: (returnValue) => {
      if (onProgress === undefined || wasFoundCompleted) waiter.complete(returnValue)
      wasFoundCompleted = true
    },
    fail: (error) => settle(false, () => reject(error)),
    abandon: (error) => settle(true, () => reject(error)),
    progress: (value) => {
      if (settled || onProgress === undefined) return
      try {
        onProgress(deps.parseProgress(value))
      } catch (error) {
        deps.onBadProgress(error)
      }
    }
  }

  const deadline = setTimeout(() => waiter.abandon(deps.deadlineError()), deadlineMs)
  const stopListening = onAbort(signal, () =>
    waiter.abandon(new AppError('CANCELLED', `the wait for job ${jobId} was cancelled`))
  )
  return { waiter, outcome }
}
