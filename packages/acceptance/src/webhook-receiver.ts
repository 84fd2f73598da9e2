import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Teardown } from '@filewright/testing'

export interface ReceivedDelivery {
  id: string
  type: string
  data: Record<string, unknown>
}

/** A program that webhooks are delivered to. */
export interface WebhookReceiver {
  readonly url: string
  /** Deliveries with a valid signature, in the order of their arrival. */
  readonly deliveries: readonly ReceivedDelivery[]
  /** Requests whose signature was not valid. */
  readonly forged: () => number
  verifyWith: (secret: string) => void
  /** Sets the response to later requests. */
  answer: (status: number, body?: string) => void
}

export async function startWebhookReceiver(t: Teardown): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = []
  let webhook: Webhook | undefined
  let forged = 0
  let response = { status: 200, body: 'ok' }

  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      try {
        const headers = request.headers as Record<string, string>
        const event = webhook?.verify(body, headers) as Omit<ReceivedDelivery, 'id'> | undefined
        if (event !== undefined) deliveries.push({ id: headers['webhook-id'] ?? '', ...event })
      } catch {
        forged++
      }
      reply.writeHead(response.status).end(response.body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    forged: () => forged,
    verifyWith: (secret) => {
      webhook = new Webhook(secret)
    },
    answer: (status, body = '') => {
      response = { status, body }
    }
  }
}
