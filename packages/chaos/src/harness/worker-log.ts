export interface WorkerCosts {
  /** Jobs that went back to the queue without costing an attempt. */
  returnedJobs: number
  /** Runs of jobs that failed and cost an attempt. */
  failedAttempts: number
}

/** Counts from the workers' logs, at level info, how their jobs ended. */
export function costsIn(outputs: readonly string[]): WorkerCosts {
  const count = (message: string): number =>
    outputs.reduce((sum, output) => sum + output.split(`"msg":"${message}"`).length - 1, 0)
  return { returnedJobs: count('job returned to the queue'), failedAttempts: count('job failed') }
}
