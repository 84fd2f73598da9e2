import type { AttemptResult, ClaimedDelivery, Database } from '@filewright/db'
import { delivery, type DeliveryResult, type QueueClient } from '@filewright/queue'
import { createId, failpoint, isAppError, type Logger } from '@filewright/runtime'
import { backoffMs, GIVE_UP_HOURS } from './backoff.js'

export interface EventRelay {
  /**
   * One pass: creates deliveries of new events and starts the due attempts. Returns the number of started
   * attempts. Safe in several concurrent processes.
   */
  turn: () => Promise<number>
  /** Something is due: do not wait for the next pass. */
  wake: () => void
  start: () => void
  stop: () => Promise<void>
  /** Resolves when no attempt is under way. */
  idle: () => Promise<void>
}

export interface EventRelayDeps {
  deliveries: Pick<Database['deliveries'], 'fanOut' | 'claim' | 'record' | 'release' | 'drop'>
  queue: Pick<QueueClient, 'request'>
  logger: Pick<Logger, 'warn' | 'error'>
  intervalMs: number
  isOn: boolean
  onAttempt?: (result: 'delivered' | 'refused' | 'unreachable' | 'postponed') => void
  onDisabled?: () => void
}

/** Events in one statement. */
const BATCH_SIZE = 500
/** Attempts under way in this process. */
const MAX_UNDER_WAY = 256
const CLAIM = {
  perEndpoint: 5,
  // A hanging endpoint takes ten seconds of a worker's slot for each attempt. Together they have half of a
  // worker.
  maxFailing: 16,
  maxSlow: 16,
  // The maximum of a worker's slots for one token. A higher number would let one token fill this process
  // while other tokens' deliveries wait.
  perOwner: 48,
  orderedAttempts: 3
}
/** An endpoint that takes longer has one attempt at a time. */
const PROMPT_MS = 1_000
/** The worker gives an endpoint 10 seconds; the rest is for the queue. */
const DEADLINE_MS = 30_000
/** After this time, another relay repeats the attempt. */
const LEASE_MS = DEADLINE_MS + 15_000
/** Used if no attempt was made, because the queue or every worker is down. */
const POSTPONE_MS = 5_000
/** The minimum time between two passes, however many attempts end in between. */
const MIN_GAP_MS = 20

const bodyOf = ({ type, at, data }: NonNullable<ClaimedDelivery['event']>): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data })

/**
 * Moves events from the outbox to the delivery queue, and stores the results. PostgreSQL holds all durable
 * state.
 */
export function createEventRelay(deps: EventRelayDeps): EventRelay {
  const { deliveries, queue, logger, intervalMs, isOn, onAttempt = () => {}, onDisabled = () => {} } = deps
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> | undefined
  let wakes = 0

  async function request(
    { id, endpointId, url, secrets, tokenId, eventId }: ClaimedDelivery,
    claim: string,
    body: string
  ): Promise<DeliveryResult> {
    const payload = { v: 1 as const, deliveryId: id, claim, endpointId, url, eventId, body, secrets }
    return await queue.request(delivery, payload, {
      deadlineMs: DEADLINE_MS,
      signal: stopping.signal,
      lane: tokenId ?? endpointId
    })
  }

  async function record(claimed: ClaimedDelivery, claim: string, result: DeliveryResult): Promise<void> {
    const { status } = result
    const isDelivered = status !== null && status >= 200 && status < 300
    const attempt: AttemptResult = {
      ...result,
      isDelivered,
      isPrompt: isDelivered && result.durationMs <= PROMPT_MS,
      isGone: status === 410,
      retryMs: isDelivered ? 0 : backoffMs(claimed.attempts + 1)
    }
    const recorded = await deliveries.record(claimed.id, claim, attempt, {
      giveUpHours: GIVE_UP_HOURS,
      orderedAttempts: CLAIM.orderedAttempts
    })
    FAILPOINT: failpoint('relay.recorded')
    onAttempt(isDelivered ? 'delivered' : status === null ? 'unreachable' : 'refused')
    if (recorded?.isDisabled === true) {
      onDisabled()
      logger.error({ webhookId: claimed.endpointId, status, reason: result.error }, 'webhook disabled')
    }
  }

  async function attempt(claimed: ClaimedDelivery, claim: string): Promise<void> {
    try {
      if (claimed.event === null) {
        await deliveries.drop(claimed.id, claim, 'the event is not kept any more')
        return
      }
      let result: DeliveryResult
      try {
        result = await request(claimed, claim, bodyOf(claimed.event))
      } catch (error) {
        onAttempt('postponed')
        if (!isAppError(error) || !error.retryable) {
          logger.warn({ err: error, webhookId: claimed.endpointId }, 'webhook delivery postponed')
        }
        await deliveries.release(claimed.id, claim, POSTPONE_MS)
        return
      }
      FAILPOINT: failpoint('relay.attempted')
      await record(claimed, claim, result)
    } catch (error) {
      // The claim expires, and the attempt is repeated.
      logger.warn({ err: error, webhookId: claimed.endpointId }, 'result of a webhook delivery lost')
    }
  }

  async function turn(): Promise<number> {
    while ((await deliveries.fanOut(BATCH_SIZE)) === BATCH_SIZE && !stopping.signal.aborted);
    FAILPOINT: failpoint('relay.fanned-out')
    const max = MAX_UNDER_WAY - underWay.size
    if (max <= 0 || stopping.signal.aborted) return 0
    const claim = createId()
    const found = await deliveries.claim({ claim, leaseMs: LEASE_MS, max, ...CLAIM })
    FAILPOINT: failpoint('relay.claimed')
    for (const claimed of found) {
      const task: Promise<void> = attempt(claimed, claim).finally(() => {
        underWay.delete(task)
        wake()
      })
      underWay.add(task)
    }
    return found.length
  }

  async function turnAndReport(): Promise<void> {
    wakes = 0
    try {
      await turn()
    } catch (error) {
      logger.warn({ err: error }, 'events wait for the next pass of the relay')
      wakes = 0
    }
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer)
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = turnAndReport().finally(() => {
        running = undefined
        schedule(wakes > 0 ? MIN_GAP_MS : intervalMs * (0.75 + Math.random() / 2))
      })
    }, waitMs).unref()
  }

  function wake(): void {
    // A running pass checks this at its end. Otherwise the first call shortens the timer.
    if (++wakes === 1 && running === undefined && timer !== undefined) schedule(MIN_GAP_MS)
  }

  return {
    turn,
    wake,
    start: () => {
      if (isOn) schedule(MIN_GAP_MS)
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
      await Promise.all(underWay)
    },
    idle: async () => {
      await Promise.all(underWay)
    }
  }
}
