import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface ReceivedEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** An endpoint for webhooks. */
export interface EventReceiver {
  readonly url: string
  /** In the order of their first arrival. */
  readonly events: ReadonlyMap<string, ReceivedEvent>
  /** The number of arrivals, including repeated ones. */
  arrivals: () => number
  /** Requests without a valid signature, and repeated events with different content. */
  readonly faults: string[]
  verifyWith: (secret: string) => void
  /**
   * Runs the action during the next delivery, then cuts its connection. That delivery does not count as
   * arrived.
   */
  duringNext: (act: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const events = new Map<string, ReceivedEvent>()
  const bodies = new Map<string, string>()
  const faults: string[] = []
  let webhook: Webhook | undefined
  let arrivals = 0
  let disturb: (() => Promise<void>) | undefined

  function take(body: string, headers: IncomingMessage['headers']): number {
    const id = String(headers['webhook-id'])
    try {
      const { type, data } = webhook?.verify(body, headers as Record<string, string>) as ReceivedEvent
      arrivals++
      if ((bodies.get(id) ?? body) !== body) faults.push(`${id} came again with another content`)
      if (!events.has(id)) events.set(id, { id, type, data })
      bodies.set(id, body)
      return 204
    } catch (error) {
      faults.push(`${id}: ${(error as Error).message}`)
      return 400
    }
  }

  const server = createServer((request, response) => {
    void text(request).then(
      async (body) => {
        const act = disturb
        disturb = undefined
        if (act === undefined) response.writeHead(take(body, request.headers)).end()
        else await act().finally(() => response.destroy())
      },
      () => {
        // The sender was killed before it had sent everything.
      }
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    arrivals: () => arrivals,
    faults,
    verifyWith: (secret) => {
      webhook = new Webhook(secret)
    },
    duringNext: async (act) => {
      await new Promise<void>((resolve, reject) => {
        disturb = async () => await act().then(resolve, reject)
      })
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
