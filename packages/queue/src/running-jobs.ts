import type { Job } from 'bullmq'
import { AppError } from '@filewright/runtime'

/** How long a handler may take to notice that it must stop, before its job is returned to the queue. */
const STOP_NOTICE_MS = 1_000
/**
 * A cancellation has its own connection and may arrive before its job: this many are kept for jobs that have
 * not started.
 */
const MAX_EARLY_CANCELS = 1_000

/** `unable`: the worker's dependency does not work. */
export type StopReason = 'cancelled' | 'lost' | 'shutdown' | 'unable'

/** Another worker should do such a job: it returns to the queue. */
export function isReturned(reason: StopReason | undefined): boolean {
  return reason === 'shutdown' || reason === 'unable'
}

export interface Run {
  /** The newest job with this id: reports go to it. */
  job: Job
  readonly outcome: Promise<unknown>
  /** Why it was told to stop, if it was. */
  stopped: () => StopReason | undefined
}

export interface RunningJobs {
  /**
   * Runs the job. If it already runs here, joins it: after a Redis wipe the same job may arrive again during
   * its first run, and the same id means the same work.
   */
  run: (
    job: Job,
    jobId: string,
    start: (run: { current: () => Job; signal: AbortSignal }) => Promise<unknown>
  ) => Run
  /** Aborts the signal of the job, if it runs here. */
  stop: (jobId: string, reason: StopReason) => void
  stopAll: (reason: StopReason, isMeant?: (job: Job) => boolean) => void
}

interface Entry {
  run: Run
  stop: (reason: StopReason) => void
}

export function createRunningJobs(): RunningJobs {
  const entries = new Map<string, Entry>()
  const earlyCancels = new Set<string>()

  function rememberCancel(jobId: string): void {
    earlyCancels.add(jobId)
    const [oldest = ''] = earlyCancels
    if (earlyCancels.size > MAX_EARLY_CANCELS) earlyCancels.delete(oldest)
  }

  return {
    run: (job, jobId, start) => {
      const known = entries.get(jobId)
      if (known !== undefined && known.run.stopped() === undefined) {
        known.run.job = job
        return known.run
      }

      const controller = new AbortController()
      let reason: StopReason | undefined
      let giveUp: (error: AppError) => void = () => {}
      let notice: NodeJS.Timeout | undefined
      const gaveUp = new Promise<never>((_resolve, reject) => {
        giveUp = reject
      })
      // One microtask later, when `run` exists.
      const handled = Promise.resolve().then(
        async () => await start({ current: () => run.job, signal: controller.signal })
      )
      const run: Run = {
        job,
        stopped: () => reason,
        outcome: Promise.race([handled, gaveUp]).finally(() => {
          clearTimeout(notice)
          if (entries.get(jobId) === entry) entries.delete(jobId)
        })
      }
      const entry: Entry = {
        run,
        stop: (why) => {
          if (reason !== undefined) return
          reason = why
          const error = new AppError('CANCELLED', `job ${jobId} was stopped: ${why}`)
          controller.abort(error)
          if (isReturned(why)) notice = setTimeout(() => giveUp(error), STOP_NOTICE_MS)
        }
      }
      entries.set(jobId, entry)
      if (earlyCancels.delete(jobId)) entry.stop('cancelled')
      return run
    },
    stop: (jobId, reason) => {
      const entry = entries.get(jobId)
      if (entry !== undefined) entry.stop(reason)
      else if (reason === 'cancelled') rememberCancel(jobId)
    },
    stopAll: (reason, isMeant = () => true) => {
      for (const entry of entries.values()) if (isMeant(entry.run.job)) entry.stop(reason)
    }
  }
}
