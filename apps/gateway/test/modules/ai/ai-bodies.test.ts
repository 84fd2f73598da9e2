import { once } from 'node:events'
import t from 'tap'
import { poll } from '@filewright/testing'
import { analyzed } from '../../helpers/ai-requests.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('a client that sends Expect: 100-continue gets 100 Continue', async (t) => {
  const gateway = await startTestGateway(t)
  const socket = await connectTo(t, gateway)

  socket.write(
    headOf('/api/ai/analyze', await gateway.token('*'), {
      'Content-Type': 'application/json',
      'Content-Length': 20,
      Expect: '100-continue'
    })
  )

  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 100 /)
})

t.test('a body over the limit is refused without resetting a client that is still sending', async (t) => {
  const gateway = await startTestGateway(t)
  const socket = await connectTo(t, gateway)
  let answer = ''
  socket.on('data', (data) => {
    answer += String(data)
  })
  const token = await gateway.token('*')
  const head = (length: number) =>
    headOf('/api/ai/generate', token, { 'Content-Type': 'application/json', 'Content-Length': length })

  socket.write(head(20_000_000))
  for (let sent = 0; sent < 20_000_000; sent += 1_000_000) {
    await new Promise((resolve) => socket.write('x'.repeat(1_000_000), resolve))
  }
  socket.write(head(2) + '{}')

  await poll(() => answer.includes('HTTP/1.1 400'))
  t.match(
    answer,
    /^HTTP\/1\.1 413 [^]*\{"error":"Request body too large"\}HTTP\/1\.1 400 /,
    'and the connection serves the next request'
  )
})

t.test('a client that stops sending in the middle of its JSON gets 408', async (t) => {
  const gateway = await startTestGateway(t, { idleTimeoutMs: 200 })
  const socket = await connectTo(t, gateway)

  const head = headOf('/api/ai/analyze', await gateway.token('*'), {
    'Content-Type': 'application/json',
    'Content-Length': 1000
  })
  socket.write(`${head}{`)

  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 408 .*\{"error":"Request timed out"\}$/s)
})

t.test('a job may take longer than the idle timeout of a client', async (t) => {
  const gateway = await startTestGateway(t, { idleTimeoutMs: 100 })
  gateway.onInference(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return analyzed
  })
  const address = await gateway.app.listen({ port: 0 })

  const answer = await fetch(`${address}/api/ai/analyze`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await gateway.token('*')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'a()', language: 'javascript' })
  })

  t.equal(answer.status, 200)
})
