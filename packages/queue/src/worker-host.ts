import { setTimeout as sleep } from 'node:timers/promises'
import { WaitingError, type Job } from 'bullmq'
import { AppError, type HealthResult, type Logger } from '@filewright/runtime'
import { listenForCancels } from './cancel-listener.js'
import { createPatientConnection } from './connections.js'
import type { QueueDefinition } from './define-queue.js'
import { startHeartbeat } from './heartbeat.js'
import { failureOf } from './job-failure.js'
import { cancelChannel } from './keys.js'
import { createOutageLog } from './outage-log.js'
import { PausableWorker, timesReturned } from './pausable-worker.js'
import { createProducerLink } from './producer-link.js'
import { keyPrefix, pingRedis } from './redis-cluster.js'
import { createRunningJobs, isReturned, type Run } from './running-jobs.js'
import { startSelfCheck } from './self-check.js'
import { settleWithin } from './settle-within.js'

const LOCK_MS = 5_000
const STALLED_CHECK_MS = 2_000
/**
 * A job whose fourth worker dies is given up: a poisonous job must not take down all workers, and an unlucky
 * one survives deploys.
 */
const MAX_STALLED = 3
/**
 * How often a job returns to the queue because its worker's dependency failed. After that, a job that breaks
 * the dependency costs attempts, and ends before it has broken every worker's.
 */
const MAX_RETURNS = 3
const RETRY_MS = 1_000
const CLOSE_MS = 2_000

export interface JobContext<G> {
  jobId: string
  /** From 1. */
  attempt: number
  /**
   * Aborted when no request waits for the result any more, when the job was lost to another worker, or when
   * the process stops.
   */
  signal: AbortSignal
  /** Reaches the requester in order. Best effort: it never fails the job. */
  report: (progress: G) => Promise<void>
}

export interface WorkerHostOptions<P, R, G> {
  definition: QueueDefinition<P, R, G>
  redisUrl: string
  prefix: string
  concurrency: number
  logger: Logger
  /**
   * A job whose worker died is taken over by another after this time. Default 5 s; the event loop must never
   * block that long.
   */
  lockDurationMs?: number
  /**
   * An AppError that is not retryable fails the job at once; everything else is retried as the definition
   * says.
   */
  handle: (payload: P, context: JobContext<G>) => Promise<R>
  /**
   * Checks the worker's dependency. Called every three seconds, every second while it is down, and when a job
   * has failed. Gateways get the result. Default: healthy.
   */
  check?: (signal: AbortSignal) => Promise<HealthResult>
  /**
   * The worker needs that dependency: it takes jobs only while `check` succeeds. Jobs it has taken return to
   * the queue and cost no attempt. Default false.
   */
  pauseWhileDown?: boolean
  /** Runs a job inside its producer's trace. */
  resumeTrace?: <T>(carried: string | undefined, name: string, work: () => Promise<T>) => Promise<T>
}

export interface WorkerHost {
  /** Resolves at once, also when Redis is down: the host keeps trying. */
  start: () => Promise<void>
  /** Whether it takes jobs. */
  isRunning: () => boolean
  /** The result of the last `check`, as sent to gateways. */
  report: () => HealthResult
  /** Resolves if Redis answers. */
  ping: () => Promise<void>
  /**
   * Takes no more jobs, waits for running ones up to `graceMs` (default 5 s), then aborts their signals and
   * returns the jobs to the queue.
   */
  close: (options?: { graceMs?: number }) => Promise<void>
}

export function createWorkerHost<P, R, G>(options: WorkerHostOptions<P, R, G>): WorkerHost {
  let started: ReturnType<typeof startHost<P, R, G>> | undefined
  let closed: Promise<void> | undefined
  return {
    start: async () => {
      if (closed === undefined) started ??= startHost(options)
    },
    isRunning: () => closed === undefined && started?.isRunning() === true,
    report: () => started?.report() ?? { ok: false, reason: 'not started' },
    ping: async () => {
      if (started === undefined || closed !== undefined) {
        throw new AppError('QUEUE_UNAVAILABLE', 'the worker host is not started', { retryable: true })
      }
      await started.ping()
    },
    close: async ({ graceMs = 5_000 } = {}) => await (closed ??= started?.close(graceMs) ?? Promise.resolve())
  }
}

function startHost<P, R, G>(options: WorkerHostOptions<P, R, G>) {
  const { definition, redisUrl, concurrency, logger, lockDurationMs = LOCK_MS, handle } = options
  const { check = async () => ({ ok: true }), pauseWhileDown = false } = options
  const { resumeTrace = async (_carried, _name, untraced) => await untraced() } = options
  const { name } = definition
  const prefix = keyPrefix(redisUrl, options.prefix)
  const main = createPatientConnection({ redisUrl, logger, what: `Redis (worker of ${name})` })
  const control = createProducerLink({ redisUrl, logger, what: `Redis (control of ${name})` })
  // These fields contain no secrets, and redaction would cost as much as the log line itself.
  const doneLog = logger.child({}, { redact: [] })
  const running = createRunningJobs()
  const stopping = new AbortController()

  const worker = new PausableWorker(name, process, {
    connection: main,
    prefix,
    concurrency,
    lockDuration: lockDurationMs,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    // Instead of 15 s: the result of a job that finished just before an outage is stored just after it.
    runRetryDelay: RETRY_MS,
    autorun: false
  })
  const log = createOutageLog(logger, `worker of ${name}`)
  worker.on('error', log.report)
  // Another worker may hold the job by now, and a job must not get two results.
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) running.stop(jobId, 'lost')
  })
  const cancels = listenForCancels({
    queueName: name,
    channel: cancelChannel(prefix, name),
    redisUrl,
    logger,
    onCancel: (jobId) => running.stop(jobId, 'cancelled'),
    onError: log.report
  })
  const selfCheck = startSelfCheck({ check, onReport })
  const heartbeat = startHeartbeat({
    definition,
    prefix,
    concurrency,
    redis: control.redis,
    checkSubscriber: cancels.check,
    report: selfCheck.report,
    isTakingJobs: () => worker.isTakingJobs
  })
  // The state of the dependency is not known yet.
  if (pauseWhileDown) void worker.pause(true)
  void keepRunning()

  function onReport(report: HealthResult, hasChanged: boolean): void {
    if (pauseWhileDown && report.ok && worker.isPaused()) {
      logger.info({ queue: name }, 'the worker takes jobs')
      void worker.resume()
    } else if (pauseWhileDown && !report.ok && !worker.isPaused()) {
      logger.warn({ queue: name, reason: report.reason }, 'worker paused until this is fixed')
      void worker.pause(true)
      running.stopAll('unable', mayBeReturned)
    }
    if (hasChanged) heartbeat.beat()
  }

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!worker.isRunning()) await worker.run()
      await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function process(job: Job, token?: string): Promise<unknown> {
    // A fetch that was in progress when the worker was paused still returns a job.
    if (stopping.signal.aborted || worker.isPaused()) return await returnToQueue(job, token)
    const jobId = job.id ?? ''
    return await resumeTrace(
      job.opts.telemetry?.metadata,
      `${name} job`,
      async () => await work(job, jobId, token)
    )
  }

  async function work(job: Job, jobId: string, token: string | undefined): Promise<unknown> {
    const startedAt = performance.now()
    const run = running.run(job, jobId, async ({ current, signal }) => {
      const payload = definition.parsePayload(job.data)
      const attempt = job.attemptsMade + 1
      return definition.parseResult(
        await handle(payload, { jobId, attempt, signal, report: (progress) => report(current(), progress) })
      )
    })
    try {
      const result = await run.outcome
      doneLog.info({ ...labels(job), ms: Math.round(performance.now() - startedAt) }, 'job done')
      return result
    } catch (error) {
      if (isReturned(run.stopped()) || (await isDependencyDown(run))) return await returnToQueue(job, token)
      throw failureOf(run, error, { logger, labels })
    }
  }

  function mayBeReturned(job: Job): boolean {
    return timesReturned(job) < MAX_RETURNS
  }

  /** A failure while the worker's dependency is down says nothing about the job. */
  async function isDependencyDown({ job, stopped }: Run): Promise<boolean> {
    if (!pauseWhileDown || stopped() !== undefined || !mayBeReturned(job)) return false
    return !(await selfCheck.look()).ok
  }

  /** Set explicitly instead of by async hooks, which cost a worker a tenth of its time. */
  function labels(job: Job): object {
    const { requestId } = job.data as { requestId?: unknown }
    return { requestId, jobId: job.id, queue: name, attempt: job.attemptsMade + 1 }
  }

  async function report(job: Job, progress: G): Promise<void> {
    try {
      await job.updateProgress(definition.parseProgress(progress) as object)
    } catch (error) {
      logger.warn({ err: error, ...labels(job) }, 'progress report lost')
    }
  }

  /**
   * Returns to the head of the queue without costing an attempt. BullMQ treats the error as "already moved".
   */
  async function returnToQueue(job: Job, token = ''): Promise<never> {
    await job.moveToWait(token)
    // BullMQ does not wake workers for a prioritized job: idle ones would find it only after seconds.
    await main.zadd(worker.toKey('marker'), 0, '0').catch(() => {})
    logger.info(labels(job), 'job returned to the queue')
    throw new WaitingError()
  }

  async function close(graceMs: number): Promise<void> {
    stopping.abort()
    selfCheck.stop()
    await heartbeat.stop()
    if (main.status === 'ready') {
      const closed = worker.close()
      if (!(await settleWithin(closed, graceMs))) {
        running.stopAll('shutdown')
        await settleWithin(closed, CLOSE_MS)
      }
    } else {
      // Nothing can be stored or returned now; the locks expire and other workers take over.
      running.stopAll('shutdown')
      await settleWithin(worker.close(true), CLOSE_MS)
    }
    control.close()
    cancels.close()
    main.disconnect()
    // Its reconnect timer would keep the process alive if Redis went down during the close.
    worker
      .getBackend()
      .blockingClient?.then((client) => client.disconnect())
      .catch(() => {})
  }

  return {
    isRunning: () => worker.isTakingJobs,
    report: selfCheck.report,
    ping: async () => await control.run(async () => await pingRedis(control.redis, `${prefix}:ping`)),
    close
  }
}
