import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TraceCollector {
  url: string
}

/** Receives OTLP exports; it ends with the test. */
export async function startTraceCollector(
  t: { teardown: (stop: () => void) => unknown },
  onExport: (body: string) => void
): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      onExport(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
