import t from 'tap'
import { AppError } from '@filewright/runtime'
import { generated, generatedKeys, post } from '../../helpers/ai-requests.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('streaming', async (t) => {
  const gateway = await startTestGateway(t)
  const request = { prompt: 'p', type: 'code' }
  const accept = { accept: 'text/event-stream' }

  t.test('sends tokens as they arrive, then the specified body', async (t) => {
    gateway.onInference(async (_payload, { onProgress }) => {
      onProgress?.({ text: 'const ', at: 0, tokensUsed: 1 })
      onProgress?.({ text: 'a = 1', at: 6, tokensUsed: 2 })
      return generated
    })

    const response = await post(gateway, 'generate', request, accept)

    t.equal(response.statusCode, 200)
    t.match(response.headers, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': /./,
      'x-engine': 'model'
    })
    const events = response.body
      .trim()
      .split('\n\n')
      .map((event) => /^event: (\w+)\ndata: (.*)$/.exec(event)!.slice(1))
    t.strictSame(
      events.map(([name]) => name),
      ['token', 'token', 'result']
    )
    t.equal(JSON.parse(events[0]![1]!).text + JSON.parse(events[1]![1]!).text, 'const a = 1')
    t.strictSame(Object.keys(JSON.parse(events[2]![1]!)).sort(), generatedKeys)
  })

  t.test('names the sandbox from the first event on', async (t) => {
    gateway.onInference(async (_payload, { onProgress }) => {
      onProgress?.({ text: 'const ', at: 0, tokensUsed: 1, engine: 'sandbox' })
      return { ...generated, engine: 'sandbox' }
    })

    t.equal((await post(gateway, 'generate', request, accept)).headers['x-engine'], 'sandbox')
  })

  t.test('sends nothing twice when the job is retried in the middle of a response', async (t) => {
    gateway.onInference(async (_payload, { onProgress }) => {
      for (const [text, at] of [
        ['const ', 0],
        ['con', 0],
        ['st a', 3],
        [' = 1', 7]
      ] as const) {
        onProgress?.({ text, at, tokensUsed: 1 })
      }
      return generated
    })

    const response = await post(gateway, 'generate', request, accept)

    const texts = [...response.body.matchAll(/^event: token\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data!).text
    )
    t.strictSame(texts, ['const ', 'a', ' = 1'])
  })

  t.test('gets an ordinary error before the first token', async (t) => {
    gateway.onInference(async () => {
      throw new AppError('MODEL_UNAVAILABLE', 'scripted')
    })

    const response = await post(gateway, 'generate', request, accept)

    t.equal(response.statusCode, 503)
    t.strictSame(response.json(), { error: 'Service temporarily unavailable, try again later' })
    t.equal((await post(gateway, 'generate', {}, accept)).statusCode, 400)
  })

  t.test('ends with an error event after the first token', async (t) => {
    gateway.onInference(async (_payload, { onProgress }) => {
      onProgress?.({ text: 'half', at: 0, tokensUsed: 1 })
      throw new AppError('MODEL_UNAVAILABLE', 'secret detail')
    })

    const response = await post(gateway, 'generate', request, accept)

    t.equal(response.statusCode, 200)
    t.match(
      response.body,
      /event: error\ndata: {"error":"Service temporarily unavailable, try again later"}\n\n$/
    )
    t.notMatch(response.body, 'secret')
  })
})

t.test('a streaming client that never reads is disconnected', async (t) => {
  const gateway = await startTestGateway(t, { idleTimeoutMs: 300 })
  const gone = new Promise<void>((resolve) =>
    gateway.onInference(async (_payload, { onProgress, signal }) => {
      const isAwaited = () => signal?.aborted === false
      for (let at = 0; isAwaited(); at += 50_000) {
        onProgress?.({ text: 'x'.repeat(50_000), at, tokensUsed: 1 })
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      resolve()
      throw new AppError('CANCELLED', 'scripted')
    })
  )
  const body = JSON.stringify({ prompt: 'p', type: 'code' })
  const socket = await connectTo(t, gateway)
  socket.pause()

  const head = headOf('/api/ai/generate', await gateway.token('*'), {
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    'Content-Length': body.length
  })
  socket.write(head + body)

  await gone
  t.pass('the gateway closed the connection and cancelled the job')
})
