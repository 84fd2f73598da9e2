import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { closedHeaders } from './closed-headers.js'
import type { HealthMonitor } from './health.js'

export interface MetricsPage {
  contentType: string
  text: string
}

export interface ProbeServerOptions {
  host: string
  port: number
  health: Pick<HealthMonitor, 'report'>
  /** For `/metrics`; without it there is no such page. */
  metrics?: () => Promise<MetricsPage>
  /** Other pages: true if it has taken the request. */
  handle?: (path: string, request: IncomingMessage, response: ServerResponse) => boolean
}

export interface ProbeServer {
  port: number
  close: () => Promise<void>
}

/** The operators' port of every process: health, metrics, and what else the process shows them. */
export async function startProbeServer ({ host, port, health, metrics, handle }: ProbeServerOptions): Promise<ProbeServer> {
  const server: Server = createServer((request, response) => {
    const answer = (status: number, body: object): void => { send(response, status, 'application/json', JSON.stringify(body)) }
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (handle?.(path, request, response) === true) return
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { error: 'Method not allowed' })
    if (path === '/health/live') return answer(200, { status: 'ok' })
    if (path === '/health/startup' || path === '/health/ready') {
      const report = health.report(path === '/health/startup' ? 'start' : 'ready')
      return answer(report.status === 'unavailable' ? 503 : 200, report)
    }
    if (path !== '/metrics' || metrics === undefined) return answer(404, { error: 'Not found' })
    metrics().then(
      ({ contentType, text }) => { send(response, 200, contentType, text) },
      () => { answer(500, { error: 'The metrics could not be collected' }) }
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => { resolve() }))
    }
  }
}

function send (response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { ...closedHeaders, 'content-type': contentType }).end(text)
}
