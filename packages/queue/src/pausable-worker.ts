import { Worker, type Job } from 'bullmq'

/** A BullMQ worker that can be paused and resumed while it runs. */
export class PausableWorker extends Worker {
  /** BullMQ's `resume` calls this without awaiting it, so a rejection would be unhandled. */
  override async run(): Promise<void> {
    try {
      await super.run()
    } catch (error) {
      this.emit('error', error instanceof Error ? error : new Error(String(error)))
    }
  }

  get isTakingJobs(): boolean {
    return this.isRunning() && !this.isPaused()
  }
}

/** How often the job was returned to the queue: started, and neither finished nor lost with a worker. */
export function timesReturned({ attemptsStarted, attemptsMade, stalledCounter }: Job): number {
  // The current run counts as started.
  return attemptsStarted - 1 - attemptsMade - stalledCounter
}
