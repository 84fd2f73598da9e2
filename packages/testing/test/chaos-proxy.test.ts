import t from 'tap'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { poll, startChaosProxy, type ChaosProxy } from '../src/index.js'

async function startEcho(t: Test): Promise<ChaosProxy> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startChaosProxy({
    target: { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  })
  t.teardown(async () => {
    await proxy.close()
    server.close()
  })
  return proxy
}

async function open(
  t: Test,
  proxy: ChaosProxy
): Promise<{ socket: Socket; received: () => string; chunks: () => number }> {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true })
  t.teardown(() => {
    socket.destroy()
  })
  let text = ''
  let chunks = 0
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    chunks++
  })
  await once(socket, 'connect')
  return { socket, received: () => text, chunks: () => chunks }
}

t.test('bytes pass unchanged both ways, and a half-closed client still gets its answer', async (t) => {
  const proxy = await startEcho(t)
  const { socket, received } = await open(t, proxy)
  const text = 'x'.repeat(300_000)

  socket.end(text)
  await once(socket, 'close')

  t.equal(received(), text)
  await poll(() => proxy.openConnections() === 0)
  t.equal(proxy.accepted(), 1)
})

t.test(
  'a frozen proxy forwards nothing, also for new connections, and loses nothing when it resumes',
  async (t) => {
    const proxy = await startEcho(t)
    const before = await open(t, proxy)
    before.socket.write('a')
    await poll(() => before.received() === 'a')

    proxy.freeze()
    const after = await open(t, proxy)
    before.socket.write('b')
    after.socket.write('c')
    await poll(() => proxy.openConnections() === 2)
    t.strictSame([before.received(), after.received()], ['a', ''])

    proxy.thaw()
    await poll(() => before.received() === 'ab' && after.received() === 'c')
  }
)

t.test('one connection can be frozen while the others continue', async (t) => {
  const proxy = await startEcho(t)
  const [first, second] = [await open(t, proxy), await open(t, proxy)]
  await poll(() => proxy.openConnections() === 2)

  proxy.connections()[0]?.freeze()
  first.socket.write('1')
  second.socket.write('2')
  await poll(() => second.received() === '2')
  t.equal(first.received(), '')

  proxy.connections()[0]?.thaw()
  await poll(() => first.received() === '1')
})

t.test('a delay holds back every chunk', async (t) => {
  const proxy = await startEcho(t)
  const { socket, received } = await open(t, proxy)
  await poll(() => proxy.openConnections() === 1)
  proxy.delay(100)
  const startedAt = Date.now()

  socket.write('x')
  await poll(() => received() === 'x')

  t.ok(Date.now() - startedAt >= 190, 'once on the way there and once on the way back')
})

t.test('slicing splits chunks into small pieces in the right order', async (t) => {
  const proxy = await startEcho(t)
  const { socket, received, chunks } = await open(t, proxy)
  await poll(() => proxy.openConnections() === 1)
  proxy.slice(1)

  socket.write('0123456789')
  await poll(() => received().length === 10)

  t.equal(received(), '0123456789')
  t.ok(chunks() > 1)
})

t.test(
  'cut ends every connection, reset breaks it with ECONNRESET, and both say how many they hit',
  async (t) => {
    const proxy = await startEcho(t)
    const { socket } = await open(t, proxy)
    await poll(() => proxy.openConnections() === 1)
    const closed = once(socket, 'close')
    t.equal(proxy.cut(), 1)
    t.strictSame(await closed, [false])
    await poll(() => proxy.openConnections() === 0)
    t.equal(proxy.cut(), 0)

    const other = await open(t, proxy)
    const [connection] = await poll(() => proxy.connections().length === 1 && proxy.connections())
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => other.socket.once('error', resolve))
    t.equal(proxy.reset(), 1)
    t.equal((await failed).code, 'ECONNRESET')
    await poll(() => connection?.isOpen() === false)
  }
)

t.test('a proxy that refuses resets new connections', async (t) => {
  const proxy = await startEcho(t)
  proxy.refuse(true)

  const socket = connect({ host: proxy.host, port: proxy.port })
  const closed = await Promise.race([
    once(socket, 'error').then(() => true),
    once(socket, 'close').then(() => true)
  ])

  t.ok(closed)
  t.equal(proxy.accepted(), 0)
})

t.test('a target that is not there closes the client', async (t) => {
  const proxy = await startChaosProxy({ target: { host: '127.0.0.1', port: 1 } })
  t.teardown(async () => await proxy.close())
  const socket = connect({ host: proxy.host, port: proxy.port })
  socket.on('error', () => {})

  await once(socket, 'close')

  await poll(() => proxy.openConnections() === 0)
})

t.test('a reset ends connections to a socket on a path too', async (t) => {
  // Not in a test folder: a socket path may have at most 100 characters.
  const path = join(tmpdir(), `fw-${randomUUID()}.sock`)
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume()
  })
  server.listen({ path })
  await once(server, 'listening')
  const proxy = await startChaosProxy({ target: { path } })
  t.teardown(async () => {
    await proxy.close()
    server.close()
  })
  const { socket } = await open(t, proxy)
  await poll(() => proxy.openConnections() === 1)
  socket.write('a')

  const closed = new Promise((resolve) => socket.once('close', resolve))
  t.equal(proxy.reset(), 1)
  await closed

  await poll(() => proxy.openConnections() === 0)
})
