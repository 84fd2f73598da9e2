import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { inspectRedis } from '../src/index.js'

t.test('a Redis that accepts connections and never answers is an error, not a crash', async (t) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const unhandled: unknown[] = []
  const note = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))

  const { port } = server.address() as AddressInfo
  await t.rejects(inspectRedis(`redis://127.0.0.1:${port}`), { code: 'QUEUE_UNAVAILABLE', retryable: true })

  // An unhandled rejection is reported after the microtasks of its turn.
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(unhandled, [])
})
