import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface ProbeServerOptions {
  host: string
  port: number
  /** Null while all is well, else one sentence that says what is missing. */
  notReady: () => Promise<string | null> | string | null
}

export interface ProbeServer {
  port: number
  close: () => Promise<void>
}

/** `/health/live` and `/health/ready` for processes that speak no HTTP otherwise. */
export async function startProbeServer ({ host, port, notReady }: ProbeServerOptions): Promise<ProbeServer> {
  const server: Server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/health/live') return answer(200, { status: 'ok' })
    if (request.url !== '/health/ready') return answer(404, { error: 'Not found' })
    Promise.resolve().then(notReady).then(
      (reason) => answer(reason === null ? 200 : 503, reason === null ? { status: 'ok' } : { status: 'unavailable', reason }),
      () => answer(503, { status: 'unavailable', reason: 'the readiness check failed' })
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
