import type { Database, EventPosition, EventRecord } from '@filewright/db'
import { eventIdOf } from '@filewright/db'
import { AppError, createSemaphore } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'

export interface EventsRequest {
  projectId: string
  /** Null: only events from now on. */
  after: EventPosition | null
  /** Whether to wait for further events once all have been read. */
  follow: boolean
  signal: AbortSignal
}

/** Events, and the position behind them. An empty batch keeps the connection alive. */
export interface EventBatch {
  lastEventId: string
  events: EventRecord[]
}

export interface EventsService {
  /**
   * Ends when the signal aborts, when the process stops, or after a few minutes. The client then reconnects.
   */
  stream: (principal: Principal, request: EventsRequest) => Promise<AsyncGenerator<EventBatch>>
  /** Ends every stream. */
  stop: () => void
}

export interface EventsServiceDeps {
  events: Pick<Database['events'], 'readProjectsAfter' | 'lastPosition'>
  /** Default 1 s. */
  pollMs?: number
}

/** The maximum number of events per query. */
const BATCH_SIZE = 200
const MAX_STREAMS_PER_TOKEN = 8
/** A token that was revoked during the stream is checked when its client reconnects. */
const MAX_STREAM_MS = 300_000
const ALIVE_MS = 15_000

export function createEventsService({ events, pollMs = 1_000 }: EventsServiceDeps): EventsService {
  const stopping = new AbortController()
  const streams = createSemaphore({ permitsPerLane: MAX_STREAMS_PER_TOKEN })

  async function* read(
    { tokenId }: Principal,
    { projectId, follow, signal }: EventsRequest,
    start: EventPosition
  ): AsyncGenerator<EventBatch> {
    const until = performance.now() + MAX_STREAM_MS
    const ending = AbortSignal.any([signal, stopping.signal])
    let after = start
    let saidAt = performance.now()
    // A client that received no event continues from this position.
    yield { lastEventId: eventIdOf(after), events: [] }
    while (!ending.aborted && performance.now() < until) {
      const found = await events.readProjectsAfter(
        { projectIds: [projectId], after, limit: BATCH_SIZE },
        tokenId
      )
      after = found.at(-1) ?? after
      if (found.length > 0 || performance.now() - saidAt > ALIVE_MS) {
        saidAt = performance.now()
        yield { lastEventId: eventIdOf(after), events: found }
      }
      if (found.length === BATCH_SIZE) continue
      if (!follow) return
      await pause(pollMs, ending)
    }
  }

  return {
    async stream(principal, request) {
      if (!canAccess(principal, request.projectId)) {
        throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's events`)
      }
      const release = await streams
        .acquire({ lane: principal.tokenId, signal: AbortSignal.timeout(1) })
        .catch(() => {
          throw new AppError('TOKEN_BUSY', 'too many event streams of one token', { retryable: true })
        })
      try {
        const start = request.after ?? (await events.lastPosition())
        return released(read(principal, request, start), release)
      } catch (error) {
        release()
        throw error
      }
    },
    stop: () => {
      stopping.abort()
    }
  }
}

async function* released(
  stream: AsyncGenerator<EventBatch>,
  release: () => void
): AsyncGenerator<EventBatch> {
  try {
    yield* stream
  } finally {
    release()
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
