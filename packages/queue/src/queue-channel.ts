import { Queue } from 'bullmq'
import { AppError, type HealthResult, type Logger } from '@filewright/runtime'
import { createAbandonedJobs } from './abandoned-jobs.js'
import type { QueueDefinition } from './define-queue.js'
import { createDepthGauge } from './depth-gauge.js'
import { startEventListener } from './event-listener.js'
import { decodeFailure } from './failure.js'
import { readJobStates, type JobState } from './job-state.js'
import { cancelChannel, heldKey, slotsKey } from './keys.js'
import { createOutageLog } from './outage-log.js'
import { createLanes } from './fair/lanes.js'
import type { ProducerLink } from './producer-link.js'
import { createWaiter, type Waiter } from './waiter.js'
import { createReportReader } from './worker-reports.js'
import { createWorkerWatch } from './worker-watch.js'

/** Enough when a second gateway cancels the same job, few enough to terminate. */
const MAX_REVIVALS = 3

export interface RequestOptions<G> {
  deadlineMs: number
  signal?: AbortSignal
  onProgress?: (progress: G) => void
  /**
   * The owner of the job. Lanes take turns, and one alone never gets all workers. Without a lane a job enters
   * the queue at once.
   */
  lane?: string
  /** The job takes milliseconds whatever its content: such jobs of a lane may use all workers. */
  isBrief?: boolean
  /** 1 is the most urgent; jobs without one go first. Default: the job's position in its lane. */
  priority?: number
}

export interface QueueCounts {
  /** Including those that gateways hold back. */
  waiting: number
  active: number
  delayed: number
  failed: number
  completed: number
  /** Age of the job that has waited longest; absent when none waits. */
  oldestWaitingMs?: number
}

interface QueueChannelDeps {
  definition: QueueDefinition
  redisUrl: string
  prefix: string
  link: ProducerLink
  logger: Logger
  outageMs: number
  noWorkerAfterMs: number
  /** Trace context that the job carries to its worker. */
  traceContext: () => string | undefined
}

/** The producer's side of one queue: its waiters, and everything that can settle them. */
export interface QueueChannel {
  request: <P, R, G>(
    definition: QueueDefinition<P, R, G>,
    payload: P,
    options: RequestOptions<G>
  ) => Promise<R>
  /** Polls the jobs of the waiters that are due. Never throws. */
  poll: () => Promise<void>
  waiters: () => number
  counts: () => Promise<QueueCounts>
  /** Whether any worker takes jobs from this queue. */
  hasWorker: () => Promise<boolean>
  /** Each live worker's report on its dependency. */
  workers: () => Promise<HealthResult[]>
  /** The number of waiting jobs a moment ago. */
  depth: () => number
  close: () => Promise<void>
}

export function createQueueChannel(deps: QueueChannelDeps): QueueChannel {
  const { definition, redisUrl, prefix, link, logger, outageMs, noWorkerAfterMs, traceContext } = deps
  const {
    name,
    jobOptions: { keepFinished, maxEvents, ...jobOptions }
  } = definition
  const waiters = new Map<string, Set<Waiter>>()
  let size = 0
  let unreachableSince: number | undefined
  const watch = createWorkerWatch({ noWorkerAfterMs })
  const reports = createReportReader({ link, prefix, name })

  const queue = new Queue(name, {
    connection: link.redis,
    prefix,
    skipVersionCheck: true,
    skipWaitingForReady: true,
    streams: { events: { maxLen: maxEvents } },
    defaultJobOptions: { ...jobOptions, removeOnComplete: keepFinished, removeOnFail: keepFinished }
  })
  queue.on('error', createOutageLog(logger, `queue ${name}`).report)

  const lanes = createLanes({ name, prefix, link })
  const abandoned = createAbandonedJobs({
    queue,
    redis: link.redis,
    cancelChannel: cancelChannel(prefix, name),
    stillWanted: (jobId) => waiters.has(jobId)
  })
  const waitersOf = (jobId: string): Iterable<Waiter> => waiters.get(jobId) ?? []
  const events = startEventListener({
    name,
    redisUrl,
    prefix,
    logger,
    listener: {
      onCompleted: (jobId, returnValue) => {
        for (const waiter of waitersOf(jobId)) waiter.complete(returnValue)
      },
      onFailed: (jobId, reason) => {
        for (const waiter of waitersOf(jobId)) onFailure(waiter, reason, Date.now())
      },
      onProgress: (jobId, progress) => {
        for (const waiter of waitersOf(jobId)) waiter.progress(progress)
      },
      onDuplicated: (jobId) => {
        for (const waiter of waitersOf(jobId)) waiter.pollSoon()
      }
    }
  })

  function register(waiter: Waiter): void {
    const same = waiters.get(waiter.jobId)
    if (same === undefined) waiters.set(waiter.jobId, new Set([waiter]))
    else same.add(waiter)
    size++
  }

  function onSettled(waiter: Waiter, isAbandoned: boolean): void {
    const same = waiters.get(waiter.jobId)
    same?.delete(waiter)
    if (same?.size === 0) waiters.delete(waiter.jobId)
    size--
    if (isAbandoned && !waiters.has(waiter.jobId)) abandoned.drop(waiter.jobId)
  }

  /**
   * A failure that is older than the request, or a cancellation by another producer, says nothing about this
   * request: the job is added again.
   */
  function onFailure(waiter: Waiter, reason: string, finishedAt: number): void {
    const error = decodeFailure(reason, waiter.jobId)
    const isForeign = finishedAt <= waiter.startedAt || error.code === 'CANCELLED'
    if (!isForeign || waiter.addAgain === undefined || waiter.revivals >= MAX_REVIVALS) {
      waiter.fail(error)
      return
    }
    waiter.revivals++
    link
      .run(async () => await queue.remove(waiter.jobId))
      .then(waiter.addAgain)
      .catch(() => {})
  }

  function onState(waiter: Waiter, state: JobState): void {
    if (state.kind === 'completed') waiter.completeByPoll(state.returnValue)
    else if (state.kind === 'failed') onFailure(waiter, state.reason, state.finishedAt)
    // Redis was wiped, or lost its last second in a crash. If this fails as well, the next poll retries.
    else if (state.kind === 'vanished') waiter.addAgain?.().catch(() => {})
  }

  /** Of all gateways. */
  async function heldBack(): Promise<number> {
    return await link.redis.zcard(heldKey(prefix, name))
  }

  async function poll(): Promise<void> {
    lanes.tick()
    const now = Date.now()
    const due = [...waiters.values()].flatMap((same) => [...same]).filter((waiter) => waiter.isDue(now))
    if (due.length === 0) return
    for (const waiter of due) waiter.pollLater(now)

    try {
      const { states, isAnyoneTaking } = await readJobStates(
        link.redis,
        due.map(({ jobId }) => queue.toKey(jobId)),
        slotsKey(prefix, name)
      )
      unreachableSince = undefined
      watch.saw(isAnyoneTaking, now)
      due.forEach((waiter, i) => {
        const state = states[i]
        if (state !== undefined) onState(waiter, state)
        if (watch.isWaitOver(waiter.startedAt, now)) {
          waiter.abandon(unavailable(`no worker takes jobs from queue ${name}`))
        }
      })
    } catch (error) {
      unreachableSince ??= now
      watch.sawNothing()
      for (const waiter of due) {
        if (now - Math.max(unreachableSince, waiter.startedAt) >= outageMs) {
          waiter.abandon(unavailable(`Redis has been away for ${outageMs} ms`, error))
        }
      }
    }
  }

  async function request<P, R, G>(
    contract: QueueDefinition<P, R, G>,
    payload: P,
    options: RequestOptions<G>
  ): Promise<R> {
    const { deadlineMs, signal, onProgress, lane, isBrief = false, priority } = options
    if (signal?.aborted === true) throw new AppError('CANCELLED', 'cancelled before the job was added')
    const data = contract.parsePayload(payload)
    const jobId = contract.jobId(data)
    const metadata = traceContext()
    const traced = metadata === undefined ? {} : { telemetry: { metadata } }
    let wasAdded = false
    const add = async (place?: number): Promise<void> => {
      const urgency = priority ?? place
      wasAdded = true
      await link.run(
        async () =>
          await queue.add(name, data, {
            jobId,
            ...traced,
            ...(urgency === undefined ? {} : { priority: urgency })
          })
      )
    }
    const { waiter, outcome } = createWaiter<R, G>({
      jobId,
      deadlineMs,
      signal,
      onProgress,
      parseResult: (value) => contract.parseResult(value),
      parseProgress: (value) => contract.parseProgress(value),
      onBadProgress: (error) => logger.warn({ err: error, jobId }, 'progress report dropped'),
      deadlineError: () =>
        unreachableSince === undefined && link.isUp()
          ? new AppError('DEADLINE_EXCEEDED', `job ${jobId} did not finish within ${deadlineMs} ms`, {
              retryable: true
            })
          : unavailable(`Redis was away when the deadline of job ${jobId} passed`),
      onSettled: (settled, isAbandoned) => {
        pass?.leave()
        onSettled(settled, isAbandoned && wasAdded)
      }
    })
    // Before the job exists, so that no event is missed.
    register(waiter)
    const pass = lane === undefined ? undefined : lanes.enter(lane, { isBrief })
    const enqueue = async (): Promise<void> => {
      const place = await pass?.granted
      if (waiter.isSettled()) return
      const addHere = async (): Promise<void> => await add(place)
      // The poll finds that the job is missing and adds it, or that Redis is down for too long.
      if (pass?.wasHeld() === true) waiter.addAgain = addHere
      await addHere().catch((error: unknown) => {
        if (waiter.addAgain === undefined) throw error
      })
      waiter.addAgain = addHere
    }
    enqueue().catch((error: unknown) =>
      waiter.abandon(
        error instanceof AppError ? error : unavailable(`job ${jobId} could not be added`, error)
      )
    )
    return await outcome
  }

  async function hasWorker(): Promise<boolean> {
    const isAnyoneTaking = (await link.run(async () => await link.redis.exists(slotsKey(prefix, name)))) === 1
    watch.saw(isAnyoneTaking, Date.now())
    return isAnyoneTaking
  }

  return {
    request,
    hasWorker,
    workers: async () => (await Promise.all([reports.read(), hasWorker()]))[0],
    poll,
    waiters: () => size,
    counts: async () => await link.run(async () => await readCounts(queue, await heldBack())),
    depth: createDepthGauge(
      async () =>
        await link.run(
          async () => (await queue.getJobCountByTypes('wait', 'prioritized')) + (await heldBack())
        )
    ),
    close: async () => {
      for (const same of [...waiters.values()]) {
        for (const waiter of [...same]) waiter.abandon(unavailable('the queue client was closed'))
      }
      await abandoned.close(link.isUp() ? 1_000 : 0)
      await events.close()
      await queue.close()
    }
  }
}

async function readCounts(queue: Queue, heldBack: number): Promise<QueueCounts> {
  const {
    wait = 0,
    prioritized = 0,
    active = 0,
    delayed = 0,
    failed = 0,
    completed = 0
  } = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed', 'completed')
  const counts = { waiting: wait + prioritized + heldBack, active, delayed, failed, completed }
  if (wait + prioritized === 0) return counts
  const [oldest] = await queue.getJobs(wait > 0 ? 'wait' : 'prioritized', 0, 0, true)
  return oldest === undefined
    ? counts
    : { ...counts, oldestWaitingMs: Math.max(0, Date.now() - oldest.timestamp) }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('QUEUE_UNAVAILABLE', message, { cause, retryable: true })
}
