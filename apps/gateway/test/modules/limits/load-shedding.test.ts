import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sentences } from '@filewright/contracts'
import { multipartBody, poll } from '@filewright/testing'
import { startTestGateway } from '../../helpers/test-gateway.js'

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Keeps the event loop late until it is called, as too many requests would. */
function blockEventLoop(t: Test): () => void {
  // Measures processor time: the load of other programs does not count.
  const timer = setInterval(() => {
    const end = cpuMs() + 400
    while (cpuMs() < end);
  }, 1)
  const stop = (): void => clearInterval(timer)
  t.teardown(stop)
  return stop
}

t.test('an overloaded gateway refuses requests early, finishes admitted ones, and recovers', async (t) => {
  const gateway = await startTestGateway(t, { limits: { maxLagMs: 200 } })
  const authorization = `Bearer ${await gateway.token('*')}`
  /** If a share of requests were refused, some of this many would be. */
  const isEverybodyServed = async (): Promise<boolean> => {
    const statuses: number[] = []
    for (let sent = 0; sent < 50; sent++) statuses.push((await gateway.get('/api/ai/models')).statusCode)
    return statuses.every((status) => status === 200)
  }
  await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = gateway.app.server.address() as AddressInfo
  const { body, contentType } = multipartBody([
    { name: 'project_id', value: 'acme' },
    { name: 'file', filename: 'notes.txt', content: 'x'.repeat(100_000) }
  ])
  await poll(isEverybodyServed, { timeoutMs: 60_000 })

  // An upload is in progress when the overload begins.
  const upload = httpRequest({
    port,
    method: 'POST',
    path: '/api/files/upload',
    headers: { authorization, 'content-type': contentType, 'content-length': body.length }
  })
  const answer = once(upload, 'response')
  upload.write(body.subarray(0, 50_000))
  await once(gateway.app.server, 'request')
  const unblock = blockEventLoop(t)

  const refusal = await poll(
    async () => {
      const response = await gateway.get('/api/ai/models')
      return response.statusCode === 503 && response
    },
    { timeoutMs: 60_000 }
  )
  t.strictSame(refusal.json(), { error: sentences.unavailable })
  t.match(refusal.headers, { 'retry-after': /^\d+$/, 'x-request-id': /./, 'cache-control': 'no-store' })
  const anonymous = await poll(
    async () => {
      const response = await gateway.app.inject({ url: '/api/files' })
      return response.statusCode === 503 && response
    },
    { timeoutMs: 60_000 }
  )
  t.ok(anonymous, 'before anybody looks at the token')

  upload.end(body.subarray(50_000))
  unblock()
  const [response] = await answer
  t.equal(response.statusCode, 201, 'the upload is not cut')
  t.match(await json(response), { file: { name: 'notes.txt' } })
  t.ok(await poll(isEverybodyServed, { timeoutMs: 60_000 }), 'everybody is served again')
})
