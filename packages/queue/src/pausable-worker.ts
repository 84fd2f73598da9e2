import { Worker, type Job } from 'bullmq'

/** A BullMQ worker that can be paused and resumed while others keep it running. */
export class PausableWorker extends Worker {
  /** BullMQ's `resume` calls this without waiting for it, so that nobody would catch what it throws. */
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

/** How often the job was given back: started, and neither finished nor lost with a worker. */
export function timesGivenBack({ attemptsStarted, attemptsMade, stalledCounter }: Job): number {
  // The run that is under way counts as started.
  return attemptsStarted - 1 - attemptsMade - stalledCounter
}
