import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { closedHeaders } from './closed-headers.js'
import type { HealthMonitor } from './health.js'
import { countHostHeaders, createKnownHosts } from './known-hosts.js'

export interface MetricsPage {
  contentType: string
  text: string
}

export interface ProbeServerOptions {
  host: string
  port: number
  /** Additional host names, separated by commas; `*` matches any. */
  hosts?: string
  health: Pick<HealthMonitor, 'report'>
  /** For `/metrics`; without it there is no such page. */
  metrics?: () => Promise<MetricsPage>
  /** Other pages: true if it handled the request. */
  handle?: (path: string, request: IncomingMessage, response: ServerResponse) => boolean
}

export interface ProbeServer {
  port: number
  close: () => Promise<void>
}

const UNKNOWN_HOST = 'This port does not answer to that Host; ADMIN_HOSTS or PROBE_HOSTS lists its names'

/** The operators' port of every process: health, metrics, and the process's own pages. */
export async function startProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const { host, port, hosts = '', health, metrics, handle } = options
  const isKnownHost = createKnownHosts({ names: hosts, listensOn: host })
  const server: Server = createServer((request, response) => {
    const answer = (status: number, body: object): void =>
      send(response, status, 'application/json', JSON.stringify(body))
    if (countHostHeaders(request) > 1) return answer(400, { error: 'More than one Host header' })
    if (!isKnownHost(request.headers.host)) return answer(421, { error: UNKNOWN_HOST })
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (handle?.(path, request, response) === true) return
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return answer(405, { error: 'Method not allowed' })
    }
    if (path === '/health/live') return answer(200, { status: 'ok' })
    if (path === '/health/startup' || path === '/health/ready') {
      const report = health.report(path === '/health/startup' ? 'start' : 'ready')
      return answer(report.status === 'unavailable' ? 503 : 200, report)
    }
    if (path !== '/metrics' || metrics === undefined) return answer(404, { error: 'Not found' })
    metrics().then(
      ({ contentType, text }) => send(response, 200, contentType, text),
      () => answer(500, { error: 'The metrics could not be collected' })
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

function send(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { ...closedHeaders, 'content-type': contentType }).end(text)
}
