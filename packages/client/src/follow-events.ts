import { eventAnswer } from './answers.js'
import { eventsIn } from './events.js'
import { FilewrightError } from './errors.js'
import { queryOf } from './files.js'
import { throwUnlessOk, type CallOptions, type Transport } from './transport.js'

export interface EventOptions extends CallOptions {
  projectId: string
  /** The id of an event: only later ones. Default: from now on. */
  after?: string
  /** Whether to wait for further events. Default true. */
  follow?: boolean
  /** Called with each position, also while there are no events. */
  onPosition?: (id: string) => void
  /**
   * Called when events may have been missed, because the service does not keep them any more, with the
   * reason.
   */
  onGap?: (reason: string) => void
}

export interface ReceivedEvent {
  id: string
  type: string
  /** When it happened. */
  timestamp: string
  data: object
}

const RECONNECT_MS = 1_000

export async function* followEvents(
  transport: Transport,
  { projectId, after, follow = true, onPosition, onGap, ...options }: EventOptions
): AsyncGenerator<ReceivedEvent> {
  let last = after
  let wasOpen = false
  const open = async (): Promise<ReadableStream<Uint8Array>> =>
    (await transport.call({
      // A stream that was open before is reopened, however long the service is down.
      ...(wasOpen ? { retries: Infinity } : {}),
      ...options,
      path: `/api/events${queryOf({ project_id: projectId, follow: follow ? undefined : 'false' })}`,
      lasting: true,
      headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
      send: async ({ url, ...init }) => await transport.fetch(url, init),
      read: async (response) => {
        await throwUnlessOk(response)
        const gap = response.headers.get('x-events-gap')
        if (gap !== null) onGap?.(gap.slice(0, 200))
        return response.body
      }
    })) as ReadableStream<Uint8Array>

  const isOver = (): boolean => options.signal?.aborted === true

  while (!isOver()) {
    const stream = await open()
    wasOpen = true
    try {
      for await (const { id, event, data } of eventsIn(stream)) {
        if (id === undefined) continue
        if (event !== '') yield { id, ...eventAnswer(data) }
        // Updated only now, so an event that its reader did not finish is sent again.
        last = id
        onPosition?.(id)
      }
    } catch (error) {
      // The connection was lost. Reopening it is retried, and reports any error.
      if (error instanceof FilewrightError || isOver()) throw error
    }
    if (!follow) return
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}
