import { once } from 'node:events'
import t from 'tap'
import { Value } from '@filewright/schema'
import { GenerationResult } from '@filewright/contracts'
import { poll } from '@filewright/testing'
import { inFlight } from '../../src/index.js'
import { code, request, startScriptedStack } from './scripted-stack.js'

t.setTimeout(600_000)
const { model, peer, redis, ai } = await startScriptedStack(t)

t.test('streaming', async (t) => {
  t.test('the first event reaches the client while the model still writes', async (t) => {
    model.fault = () => ({ kind: 'frozen', afterTokens: 5 })
    const leaving = new AbortController()

    const { status, events } = await ai.stream(request, { signal: leaving.signal })
    const { value } = await events[Symbol.asyncIterator]().next()

    t.equal(status, 200)
    t.match(value, { event: 'token', data: { text: /^`/ } }, 'although the model never gets any further')
    const closed = once(peer.events, 'closed-by-client', { signal: AbortSignal.timeout(10_000) })
    leaving.abort()
    await closed
  })

  t.test("the tokens are the model's text, and the result is the body without streaming", async (t) => {
    model.fault = () => ({ kind: 'slow', perTokenMs: 4 })
    const { events } = await ai.stream(request)
    const tokens: string[] = []
    let result: any
    for await (const { event, data } of events) {
      if (event === 'token') tokens.push(data.text)
      if (event === 'result') result = data
    }
    model.fault = () => ({ kind: 'none' })
    const { body } = await ai.post('generate', request)

    t.ok(tokens.length > 2, `${tokens.length} batches`)
    t.equal(tokens.join(''), model.respond())
    t.ok(Value.Check(GenerationResult, result))
    t.strictSame({ ...result, id: body.id, created_at: body.created_at }, body)
    t.equal(body.content, code)
  })

  t.test('a model that fails during a response is called again, and nothing is sent twice', async (t) => {
    model.fault = (call) => (call === 0 ? { kind: 'cut', how: 'fin', afterTokens: 20 } : { kind: 'none' })
    model.calls = 0
    const { events } = await ai.stream(request)
    let text = ''
    let result: any
    for await (const { event, data } of events) {
      if (event === 'token') text += data.text
      if (event === 'result') result = data
    }

    t.equal(model.calls, 2, 'it was asked twice')
    t.equal(text, model.respond())
    t.equal(result.content, code)
  })
})

t.test('a client that disconnects before the model was called leaves no job', async (t) => {
  model.fault = () => ({ kind: 'frozen' })
  await inFlight(100, 10, async (number) => {
    await ai.post('generate', request, { signal: AbortSignal.timeout(1 + (number % 25)) }).catch(() => {})
  })

  await poll(
    async () =>
      (await redis.llen('fw:inference:active')) +
        (await redis.llen('fw:inference:wait')) +
        peer.activeRequests() ===
      0,
    { what: 'the end of all jobs', timeoutMs: 15_000 }
  )
  model.fault = () => ({ kind: 'none' })
  t.equal((await ai.post('generate', request)).status, 200)
})
