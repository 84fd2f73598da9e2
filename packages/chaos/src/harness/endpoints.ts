import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** The behaviour of an endpoint. */
export type Manner = 'good' | 'hangs' | 'fails' | 'slow' | 'very slow' | 'trickles' | 'endless' | 'headers'

/** Endpoints of webhooks that answer as their path says. */
export interface Endpoints {
  urlOf: (manner: Manner) => string
  /** Requests so far. */
  hits: (manner: Manner) => number
  /** Milliseconds from the event's time to its first arrival at the good endpoint, by event. */
  takeDelays: () => Map<string, number>
  close: () => Promise<void>
}

const SLOW_MS = 300
/** Within the 10 seconds of an attempt. */
const VERY_SLOW_MS = 5_000
const CHUNK = Buffer.alloc(65_536, 'x')

const answers: Record<Manner, (response: ServerResponse) => Promise<void> | void> = {
  good: (response) => {
    response.writeHead(204).end()
  },
  hangs: () => {},
  fails: (response) => {
    response.writeHead(500).end('no')
  },
  slow: async (response) => {
    await sleep(SLOW_MS)
    response.writeHead(204).end()
  },
  'very slow': async (response) => {
    await sleep(VERY_SLOW_MS)
    response.writeHead(204).end()
  },
  trickles: async (response) => {
    response.writeHead(200)
    while (!response.destroyed) {
      response.write('x')
      await sleep(1_000)
    }
  },
  endless: async (response) => {
    response.writeHead(200)
    const closed = once(response, 'close')
    while (!response.destroyed) {
      if (!response.write(CHUNK)) await Promise.race([once(response, 'drain'), closed])
    }
  },
  headers: (response) => {
    const value = 'x'.repeat(1_000)
    const raw = Array.from({ length: 1_000 }, (_, at) => `x-${at}: ${value}\r\n`).join('')
    response.socket?.end(`HTTP/1.1 200 OK\r\n${raw}\r\n`)
  }
}

export async function startEndpoints(): Promise<Endpoints> {
  const hits = new Map<Manner, number>()
  let delays = new Map<string, number>()
  const server = createServer((request, response) => {
    const manner = decodeURIComponent(request.url?.slice(1) ?? '') as Manner
    response.on('error', () => {})
    void json(request).then(
      async (body) => {
        hits.set(manner, (hits.get(manner) ?? 0) + 1)
        const id = String(request.headers['webhook-id'])
        if (manner === 'good' && !delays.has(id)) {
          delays.set(id, Date.now() - Date.parse((body as { timestamp: string }).timestamp))
        }
        await answers[manner](response)
      },
      () => {
        // The sender left.
      }
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (manner) => `http://127.0.0.1:${port}/${encodeURIComponent(manner)}`,
    hits: (manner) => hits.get(manner) ?? 0,
    takeDelays: () => {
      const taken = delays
      delays = new Map()
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
