import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { poll } from '@filewright/testing'
import { startTestGateway, type TestGateway } from '../helpers/test-gateway.js'

/** Open file handles of this process, and so of the gateway, on stored bytes. */
function openBlobs(id: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes(id)
    } catch {
      return false
    }
  }).length
}

async function connected(t: Test, gateway: TestGateway): Promise<Socket> {
  const address = gateway.app.server.listening
    ? gateway.app.listeningOrigin
    : await gateway.app.listen({ port: 0 })
  const socket = connect(Number(new URL(address).port))
  t.teardown(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  return socket
}

const requestsFor = (id: string, count: number): string =>
  `GET /cdn/files/${id} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)

t.test('pipelined requests', async (t) => {
  const gateway = await startTestGateway(t)
  const small = await gateway.store({ name: 'small.txt', content: Buffer.from('0123456789') })
  const large = await gateway.store({ name: 'large.txt', content: Buffer.alloc(20_000_000, 'a') })

  t.test('are answered one after another', async (t) => {
    const socket = await connected(t, gateway)
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })

    socket.write(requestsFor(small, 50))

    await poll(() => received.split('0123456789').length === 51, { what: '50 answers', timeoutMs: 20_000 })
    t.equal(received.match(/HTTP\/1\.1 200/g)?.length, 50)
  })

  t.test('keep one file open at a time, and none after the client disconnects', async (t) => {
    const socket = await connected(t, gateway)
    socket.pause()

    socket.write(requestsFor(large, 60))

    await poll(() => openBlobs(large) > 0, { what: 'a download under way', timeoutMs: 20_000 })
    // Long enough for the other files to be opened, if pipelining failed.
    await new Promise((resolve) => setTimeout(resolve, 300))
    t.equal(openBlobs(large), 1)
    socket.destroy()
    await poll(() => openBlobs(large) === 0, { what: 'no handle left', timeoutMs: 20_000 })
  })

  t.test('close the connection when there are too many', async (t) => {
    const socket = await connected(t, gateway)
    socket.pause()
    socket.on('error', () => {})

    socket.write(requestsFor(large, 500))
    socket.resume()

    await once(socket, 'close')
    await poll(() => openBlobs(large) === 0, { what: 'no handle left', timeoutMs: 20_000 })
    t.equal((await gateway.get(`/cdn/files/${small}`)).statusCode, 200)
  })
})
