import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which the system takes ports for outgoing connections: nobody is given this one while
 * its server is yet to start, or down.
 */
const PORTS = { from: 12_000, to: 32_000 }
const given = new Set<number>()

/** A TCP port on the loopback that nobody listens on at this moment. Never the same one twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer()
    server.listen({ host: '127.0.0.1', port, exclusive: true })
    const free = await once(server, 'listening').then(
      () => true,
      () => false
    )
    server.close()
    if (free) return port
  }
}
