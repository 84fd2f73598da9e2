import { Agent, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { multipartBody } from '@filewright/testing'
import { clean, startTestGateway } from '../helpers/test-gateway.js'

t.test('a stopping gateway', async (t) => {
  const gateway = await startTestGateway(t)
  const authorization = `Bearer ${await gateway.token('*')}`
  await gateway.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = gateway.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  let release = (): void => {}
  const scanning = new Promise<void>((resolve) =>
    gateway.onScan(async () => {
      resolve()
      await new Promise<void>((_resolve) => {
        release = _resolve
      })
      return clean
    })
  )
  const { body, contentType } = multipartBody([
    { name: 'project_id', value: 'a' },
    { name: 'file', filename: 'a.txt', content: 'a' }
  ])
  const sent = request({
    port,
    agent,
    method: 'POST',
    path: '/api/files/upload',
    headers: { authorization, 'content-type': contentType, 'content-length': body.length }
  })
  const answered = once(sent.end(body), 'response')
  await scanning

  const closed = gateway.app.close()
  release()

  t.test('answers requests in flight and then closes their connections', async (t) => {
    const [response] = await answered
    response.resume()
    t.equal(response.statusCode, 201)
    t.equal(response.headers.connection, 'close')
    const late = setTimeout(() => {
      t.fail('it does not end')
      agent.destroy()
    }, 10_000)
    await closed
    clearTimeout(late)
  })
})

t.test('a request on an open connection is served while the gateway stops', async (t) => {
  const gateway = await startTestGateway(t)
  await gateway.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = gateway.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  // Already sending, so that the connection is not idle at shutdown.
  socket.write('GET /api/files?project_id=a HTTP/1.1\r\nHost: a\r\n')
  await new Promise((resolve) => gateway.app.server.once('connection', resolve))

  const closed = gateway.app.close()
  await new Promise(setImmediate)
  socket.write('\r\n')

  const [answer] = (await once(socket, 'data')) as [Buffer]
  t.match(answer.toString(), /^HTTP\/1.1 401 /)
  t.ok(answer.toString().endsWith('{"error":"Unauthorized"}'))
  socket.destroy()
  await closed
})
