import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range of ephemeral ports: no other program gets this one while its server is not running. */
const PORTS = { from: 12_000, to: 32_000 }
const given = new Set<number>()

/** A TCP port on loopback where nothing listens right now. Never the same one twice. */
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
