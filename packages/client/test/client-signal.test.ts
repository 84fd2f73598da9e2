import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { json, scripted, type Answer } from './server.js'

const analysis = { analysis: [], score: 100, suggestions: [] }
const request = { code: 'x', language: 'js' }

t.test("the client's signal ends running calls and refuses later ones", async (t) => {
  const owner = new AbortController()
  const arrived = new EventEmitter()
  const silent: Answer = () => {
    arrived.emit('request')
  }
  const { client, seen } = await scripted(t, [silent], { signal: owner.signal })

  const calls = [client.projects(), client.projects({ signal: new AbortController().signal })]
  const ended = Promise.allSettled(calls)
  while (seen.length < 2) await once(arrived, 'request')
  owner.abort(new Error('signed out'))

  for (const call of await ended) t.match(call, { status: 'rejected', reason: { message: 'signed out' } })
  await t.rejects(client.projects(), { message: 'signed out' })
  await t.rejects(client.projects({ signal: new AbortController().signal }), { message: 'signed out' })
  t.equal(seen.length, 2, 'the later calls were not sent')
})

t.test("the client's signal ends the delay before a retry", async (t) => {
  const owner = new AbortController()
  const { client, seen } = await scripted(t, [json(503, { error: 'down' })], {
    signal: owner.signal,
    retryDelayMs: 600_000,
    onRetry: () => setImmediate(() => owner.abort(new Error('signed out')))
  })

  await t.rejects(client.ai.analyze(request), { message: 'signed out' })
  t.equal(seen.length, 1)
})

t.test("the client's signal ends a generation that is being read", async (t) => {
  const owner = new AbortController()
  const { client } = await scripted(
    t,
    [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: token\ndata: {"text":"a"}\n\n')
      }
    ],
    { signal: owner.signal }
  )
  const pieces: string[] = []

  const reading = (async () => {
    const generation = client.ai.generate(
      { prompt: 'x', type: 'code' },
      { signal: new AbortController().signal }
    )
    for await (const piece of generation) {
      pieces.push(piece)
      owner.abort(new Error('signed out'))
    }
  })()

  await t.rejects(reading, { message: 'signed out' })
  t.strictSame(pieces, ['a'])
})

t.test("a call's own signal ends only that call", async (t) => {
  const owner = new AbortController()
  const mine = new AbortController()
  const { client } = await scripted(t, [() => mine.abort(new Error('mine')), json(200, { projects: [] })], {
    signal: owner.signal
  })

  await t.rejects(client.projects({ signal: mine.signal }), { message: 'mine' })
  t.strictSame(await client.projects({ signal: new AbortController().signal }), [])
})

t.test('every response is reported with its path, including refused uploads', async (t) => {
  const told: Array<[number, string]> = []
  const { client } = await scripted(t, [json(503, { error: 'down' }), json(200, analysis), json(401, {})], {
    onResponse: ({ status }, path) => {
      told.push([status, path])
    }
  })

  await client.ai.analyze(request)
  await t.rejects(client.files.upload(new Blob(['x']), { projectId: 'p', name: 'x.txt' }))

  t.strictSame(told, [
    [503, '/api/ai/analyze'],
    [200, '/api/ai/analyze'],
    [401, '/api/files/upload']
  ])
})
