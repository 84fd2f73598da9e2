import { once as eventOnce } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { parseEventId, type EventGap, type EventPosition, type EventRecord } from '@filewright/db'
import { parseProjectId } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, type Query } from '../../http/query.js'
import { streamEvents } from './events.operations.js'
import type { EventBatch, EventsService } from './events.service.js'

export interface EventsRoutesOptions {
  events: EventsService
  idleTimeoutMs: number
}

/** As in X-Rejection: a code and a reason. */
const GAPS: Record<EventGap, string> = {
  expired: 'expired; events after this id are not kept any more, the oldest kept one follows',
  unknown: 'unknown; this service has not given out this id yet, the oldest kept event follows'
}

/** The same bodies as webhooks get, as server-sent events. The parent scope authenticates requests. */
export async function eventsRoutes(
  app: FastifyInstance,
  { events, idleTimeoutMs }: EventsRoutesOptions
): Promise<void> {
  app.get(
    '/events',
    { config: { operation: streamEvents }, exposeHeadRoute: false },
    async (request, reply) => {
      const query = request.query as Query
      const signal = clientSignal(reply)
      const projectId = parseProjectId(once(query, 'project_id'))
      const { gap, batches } = await events.stream(request.principal, {
        projectId,
        after: positionOf(request.headers['last-event-id']),
        follow: followOf(once(query, 'follow')),
        renewPrincipal: async () => await request.renewPrincipal(),
        signal
      })
      reply.hijack()
      const response = reply.raw
      response.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        ...(gap === null ? {} : { 'x-events-gap': GAPS[gap] })
      })
      try {
        for await (const batch of batches) {
          if (signal.aborted) break
          if (!response.write(textOf(batch))) await drained(response, signal, idleTimeoutMs)
        }
        response.end()
      } catch (error) {
        // The client reconnects with the id of the last event that it received.
        if (!signal.aborted) request.log.warn({ err: error }, 'event stream cut off')
        response.destroy()
      }
    }
  )

  refuseOtherMethods(app, '/events', ['GET'])
}

function positionOf(header: string | string[] | undefined): EventPosition | null {
  if (header === undefined || header === '') return null
  const position = typeof header === 'string' ? parseEventId(header) : null
  if (position === null) throw new InvalidFieldError('Last-Event-ID', "must be an event's id")
  return position
}

function followOf(text = 'true'): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidFieldError('follow', 'must be true or false')
  return text === 'true'
}

const textOf = ({ lastEventId, events }: EventBatch): string =>
  events.length === 0 ? `id: ${lastEventId}\n\n` : events.map(eventText).join('')

function eventText({ eventId, type, at, data }: EventRecord): string {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  return `id: ${eventId}\nevent: ${type}\ndata: ${body}\n\n`
}

/** Disconnects a client that does not read. */
async function drained(response: ServerResponse, signal: AbortSignal, idleTimeoutMs: number): Promise<void> {
  await eventOnce(response, 'drain', {
    signal: AbortSignal.any([signal, AbortSignal.timeout(idleTimeoutMs)])
  })
}
