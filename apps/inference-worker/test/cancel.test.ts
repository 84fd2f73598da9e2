import { once } from 'node:events'
import t from 'tap'
import { poll } from '@filewright/testing'
import { failureOf, fenced, startShared, startWorker } from './helpers/test-worker.js'

t.test('an abandoned request', async (t) => {
  const shared = await startShared(t)

  for (const [what, payload] of [
    ['generate', { prompt: 'p' }],
    ['analyze', { code: 'const a = 1\n' }],
    ['optimize', { code: 'const a = 1\n' }]
  ] as const) {
    t.test(`closes the connection to the model: ${what}`, async (t) => {
      const worker = await startWorker(t, shared, { script: () => ({ kind: 'frozen', afterTokens: 2 }) })
      const leaving = new AbortController()
      const asked = once(worker.peer.events, 'request')
      const outcome = failureOf(worker[what](payload, { signal: leaving.signal }))
      await asked

      const closed = once(worker.peer.events, 'closed-by-client')
      leaving.abort()

      t.equal(await outcome, 'CANCELLED')
      await closed
      t.equal(worker.peer.closedByClient.length, 1)
    })
  }

  t.test('closes the connection also while the model repairs its code', async (t) => {
    const { generate, peer } = await startWorker(t, shared, {
      replies: [fenced('let = =')],
      script: [{ kind: 'none' }, { kind: 'frozen' }]
    })
    const leaving = new AbortController()
    const outcome = failureOf(generate({}, { signal: leaving.signal }))
    await poll(() => peer.requests.length === 2)

    const closed = once(peer.events, 'closed-by-client')
    leaving.abort()

    t.equal(await outcome, 'CANCELLED')
    await closed
  })

  t.test('is removed from the queue if it has not started', async (t) => {
    const { generate, peer } = await startWorker(t, shared, { script: () => ({ kind: 'frozen' }) })
    const leaving = new AbortController()
    const all = Array.from(
      { length: 7 },
      async () => await failureOf(generate({}, { signal: leaving.signal }))
    )
    await poll(() => peer.requests.length === 4)

    leaving.abort()

    t.strictSame(new Set(await Promise.all(all)), new Set(['CANCELLED']))
    await poll(() => peer.openConnections() === 0)
    t.equal(peer.requests.length, 4, 'the others never reached the model')
  })

  t.test('reports the tokens spent so far', async (t) => {
    const { generate } = await startWorker(t, shared, {
      script: () => ({ kind: 'frozen', afterTokens: 1 }),
      replies: ['some text']
    })
    const leaving = new AbortController()

    const spent = await new Promise((resolve) => {
      void failureOf(
        generate(
          {},
          {
            signal: leaving.signal,
            onProgress: ({ tokensUsed }) => {
              resolve(tokensUsed)
            }
          }
        )
      )
    })
    leaving.abort()

    t.ok(Number(spent) > 50, `${String(spent)} tokens`)
  })
})
