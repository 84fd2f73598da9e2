import type { Database, EventGap, EventPosition, EventRecord } from '@filewright/db'
import { eventIdOf } from '@filewright/db'
import { AppError, createSemaphore } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'

export interface EventsRequest {
  projectId: string
  /** Null: only events from now on. */
  after: EventPosition | null
  /** Whether to wait for further events once all have been read. */
  follow: boolean
  /** The current principal; rejects when the token is no longer valid. */
  renewPrincipal: () => Promise<Principal>
  signal: AbortSignal
}

export interface EventStream {
  /** Why the client may have missed events; null if it has not. */
  gap: EventGap | null
  batches: AsyncGenerator<EventBatch>
}

/** A position, and the events that lead to it. An empty batch says that the stream is alive. */
export interface EventBatch {
  lastEventId: string
  events: EventRecord[]
}

export interface EventsService {
  /**
   * Ends with the signal, when the process stops, when the token may no longer see the project, or after a
   * while: a client then reconnects.
   */
  stream: (principal: Principal, request: EventsRequest) => Promise<EventStream>
  /** Ends every stream. */
  stop: () => void
}

export interface EventsServiceDeps {
  events: Pick<Database['events'], 'readProjectsAfter' | 'lastPosition' | 'resume'>
  /** Default 1 s. */
  pollMs?: number
}

/** The maximum number of events per query. */
const BATCH_SIZE = 200
const MAX_STREAMS_PER_TOKEN = 8
/** Limited, so that streams spread over the gateways again after a restart. */
const MAX_STREAM_MS = 300_000
const ALIVE_MS = 15_000

export function createEventsService({ events, pollMs = 1_000 }: EventsServiceDeps): EventsService {
  const stopping = new AbortController()
  const streams = createSemaphore({ permitsPerLane: MAX_STREAMS_PER_TOKEN })
  let reading: { at: number; position: Promise<EventPosition> } | undefined

  /** One query for all waiting streams. */
  async function recentPosition(): Promise<EventPosition> {
    if (reading === undefined || performance.now() - reading.at >= pollMs) {
      reading = { at: performance.now(), position: events.lastPosition() }
    }
    return await reading.position
  }

  async function* read(
    { projectId, follow, renewPrincipal, signal }: EventsRequest,
    start: EventPosition
  ): AsyncGenerator<EventBatch> {
    const until = performance.now() + MAX_STREAM_MS
    const ending = AbortSignal.any([signal, stopping.signal])
    let after = start
    let isBehind = true
    let saidAt = performance.now()
    // A client that received no event continues from this position.
    yield { lastEventId: eventIdOf(after), events: [] }
    while (!ending.aborted && performance.now() < until) {
      const principal = await renewPrincipal()
      assertProject(principal, projectId)
      const { tokenId } = principal
      const last = isBehind ? await events.lastPosition() : await recentPosition()
      const found: EventRecord[] =
        isBehind || isLater(last, after)
          ? await events.readProjectsAfter({ projectIds: [projectId], after, limit: BATCH_SIZE }, tokenId)
          : []
      isBehind = found.length === BATCH_SIZE
      // If no event belongs to the stream, it need not read the same events again.
      after = found.at(-1) ?? (isLater(last, after) ? last : after)
      if (found.length > 0 || performance.now() - saidAt > ALIVE_MS) {
        saidAt = performance.now()
        yield { lastEventId: eventIdOf(after), events: found }
      }
      if (isBehind) continue
      if (!follow) return
      await pause(pollMs, ending)
    }
  }

  function assertProject(principal: Principal, projectId: string): void {
    if (canAccess(principal, projectId)) return
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's events`)
  }

  return {
    async stream(principal, request) {
      assertProject(principal, request.projectId)
      const release = await streams
        .acquire({ lane: principal.tokenId, signal: AbortSignal.timeout(1) })
        .catch(() => {
          throw new AppError('TOKEN_BUSY', 'too many event streams of one token', { retryable: true })
        })
      try {
        const { position, gap } =
          request.after === null
            ? { position: await events.lastPosition(), gap: null }
            : await events.resume(request.after)
        return { gap, batches: released(read(request, position), release) }
      } catch (error) {
        release()
        throw error
      }
    },
    stop: () => stopping.abort()
  }
}

function isLater(a: EventPosition, b: EventPosition): boolean {
  const [x, y] = [BigInt(a.txid), BigInt(b.txid)]
  return x > y || (x === y && BigInt(a.id) > BigInt(b.id))
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
