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
import { PausableWorker, timesGivenBack } from './pausable-worker.js'
import { createProducerLink } from './producer-link.js'
import { keyPrefix, pingRedis } from './redis-cluster.js'
import { createRunningJobs, isGivenBack, type Run } from './running-jobs.js'
import { startSelfCheck } from './self-check.js'
import { settleWithin } from './settle-within.js'

const LOCK_MS = 5_000
const STALLED_CHECK_MS = 2_000
/**
 * The fourth worker that dies over a job is the last: a poisonous one must not take the fleet down, an
 * unlucky one survives deploys.
 */
const MAX_STALLED = 3
/**
 * So often a job is given back because the part behind its worker failed under it. A job that breaks that part
 * each time then costs attempts, and ends, before it has broken every worker's.
 */
const MAX_GIVEN_BACK = 3
const RETRY_MS = 1_000
const CLOSE_MS = 2_000

export interface JobContext<G> {
  jobId: string
  /** From 1. */
  attempt: number
  /**
   * Aborted when nobody waits for the result any more, when the job was lost to another worker, or when the
   * process stops.
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
   * A job whose worker died is taken up by another after this long. Default 5 s; the event loop must never
   * block that long.
   */
  lockDurationMs?: number
  /**
   * An AppError that is not retryable fails the job at once; everything else is tried again as the definition
   * says.
   */
  handle: (payload: P, context: JobContext<G>) => Promise<R>
  /**
   * How the part behind this worker is at this moment. Called every three seconds, every second while the
   * part is down, and when a job has failed. Gateways are told. Default: that all is well.
   */
  check?: (signal: AbortSignal) => Promise<HealthResult>
  /**
   * The worker can do nothing without that part: it takes jobs only while `check` says that the part works.
   * What it has taken goes back to the queue and costs no attempt. Default false.
   */
  pauseWhileDown?: boolean
  /** Runs a job inside the trace that its producer sent along. */
  resumeTrace?: <T>(carried: string | undefined, name: string, work: () => Promise<T>) => Promise<T>
}

export interface WorkerHost {
  /** Resolves at once, also when Redis is down: the host keeps trying. */
  start: () => Promise<void>
  /** Whether it takes jobs. */
  isRunning: () => boolean
  /** What the last `check` found, as gateways are told. */
  report: () => HealthResult
  /** Resolves if Redis answers. */
  ping: () => Promise<void>
  /**
   * Takes no more jobs, waits for the running ones up to `graceMs` (default 5 s), then aborts their signals
   * and gives the jobs back.
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
  // What it logs is ours: looking for secrets there would cost as much as the line itself.
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
    // Instead of 15 s: what a job achieved just before an outage is stored just after it.
    runRetryDelay: RETRY_MS,
    autorun: false
  })
  const log = createOutageLog(logger, `worker of ${name}`)
  worker.on('error', log.report)
  // Somebody else may hold the job by now; two results for it would be one too many.
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
  // Nothing is known of the part yet.
  if (pauseWhileDown) void worker.pause(true)
  void keepRunning()

  function onReport(report: HealthResult, hasChanged: boolean): void {
    if (pauseWhileDown && report.ok && worker.isPaused()) {
      logger.info({ queue: name }, 'the worker takes jobs')
      void worker.resume()
    } else if (pauseWhileDown && !report.ok && !worker.isPaused()) {
      logger.warn({ queue: name, reason: report.reason }, 'the worker takes no jobs until this is mended')
      void worker.pause(true)
      running.stopAll('unable', mayBeGivenBack)
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
    // A fetch that was under way when the worker was paused still brings a job.
    if (stopping.signal.aborted || worker.isPaused()) return await giveBack(job, token)
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
      if (isGivenBack(run.stopped()) || (await isPartDown(run))) return await giveBack(job, token)
      throw failureOf(run, error, { logger, labels })
    }
  }

  function mayBeGivenBack(job: Job): boolean {
    return timesGivenBack(job) < MAX_GIVEN_BACK
  }

  /** A job that failed while the part behind the worker is down says nothing of the job. */
  async function isPartDown({ job, stopped }: Run): Promise<boolean> {
    if (!pauseWhileDown || stopped() !== undefined || !mayBeGivenBack(job)) return false
    return !(await selfCheck.look()).ok
  }

  /** By hand and not by async hooks, which cost a worker a tenth of its time. */
  function labels(job: Job): object {
    const { requestId } = job.data as { requestId?: unknown }
    return { requestId, jobId: job.id, queue: name, attempt: job.attemptsMade + 1 }
  }

  async function report(job: Job, progress: G): Promise<void> {
    try {
      await job.updateProgress(definition.parseProgress(progress) as object)
    } catch (error) {
      logger.warn({ err: error, ...labels(job) }, 'a progress report was lost')
    }
  }

  /** To the head of the queue, without counting as an attempt. BullMQ takes the error as "already moved". */
  async function giveBack(job: Job, token = ''): Promise<never> {
    await job.moveToWait(token)
    // BullMQ wakes nobody for a job with a priority: idle workers would find it only after seconds.
    await main.zadd(worker.toKey('marker'), 0, '0').catch(() => {})
    logger.info(labels(job), 'job given back')
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
      // Nothing can be stored or given back now; the locks run out and other workers take over.
      running.stopAll('shutdown')
      await settleWithin(worker.close(true), CLOSE_MS)
    }
    control.close()
    cancels.close()
    main.disconnect()
    // Its reconnect timer would keep the process alive if Redis left while we were closing.
    worker
      .getBackend()
      .blockingClient?.then((client) => {
        client.disconnect()
      })
      .catch(() => {})
  }

  return {
    isRunning: () => worker.isTakingJobs,
    report: selfCheck.report,
    ping: async () => {
      await control.run(async () => await pingRedis(control.redis, `${prefix}:ping`))
    },
    close
  }
}
