import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface RelayedRequest {
  method: string
  /** Includes the query. */
  path: string
  headers: IncomingHttpHeaders
}

export interface HttpRelay {
  readonly url: string
  close: () => Promise<void>
}

export interface HttpRelayOptions {
  /** The address of the server. */
  target: string
  /**
   * Runs before a request is forwarded, which waits for it: a test can act between two requests of a client.
   * May return another path.
   */
  before: (request: RelayedRequest) => Promise<string | undefined> | string | undefined
}

/** Forwards requests to an HTTP server, and lets a test act between them. */
export async function startHttpRelay({ target, before }: HttpRelayOptions): Promise<HttpRelay> {
  const { hostname, port, host } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const passOn = async (): Promise<void> => {
      const asked = (await before({ method, path, headers })) ?? path
      const upstream = sendRequest({ hostname, port, method, path: asked, headers: { ...headers, host } })
      pipeline(incoming, upstream, () => {})
      const [response] = (await once(upstream, 'response')) as [IncomingMessage]
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      pipeline(response, outgoing, () => {})
    }
    passOn().catch(() => {
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
