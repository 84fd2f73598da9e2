import { once } from 'node:events'
import t from 'tap'
import { poll, type Fault } from '@filewright/testing'
import { chunk, clientFor, failureOf, rawServer, request, setup } from './setup.js'

const phases: Array<[name: string, fault: Fault]> = [
  ['while the model loads', { kind: 'frozen' }],
  ['between two tokens', { kind: 'frozen', afterTokens: 3 }],
  ['while tokens stream in', { kind: 'slow', perTokenMs: 5 }]
]

for (const [name, fault] of phases) {
  t.test(`cancelling ${name} closes the connection at once, 50 of 50`, async (t) => {
    const timeouts = { connectMs: 2_000, firstTokenMs: 30_000, idleMs: 30_000, totalMs: 60_000 }
    const { client, peer } = await setup(
      t,
      { script: () => fault, respond: () => 'word '.repeat(5_000) },
      { timeouts, defaultOutputTokens: 8_192 }
    )
    const waits: number[] = []

    for (let round = 0; round < 50; round++) {
      const cancel = new AbortController()
      const arrived = once(peer.events, 'request')
      const tokens = fault.kind === 'frozen' ? (fault.afterTokens ?? 0) : 3
      let seen = 0
      let third = (): void => {}
      const started = new Promise<void>((resolve) => {
        third = resolve
      })
      const failure = failureOf(
        client.chat(request, {
          signal: cancel.signal,
          onText: () => {
            if (++seen >= tokens) third()
          }
        })
      )
      await (tokens === 0 ? arrived : started)
      const closed = once(peer.events, 'closed-by-client')
      const cancelledAt = Date.now()
      cancel.abort(new Error('the client left'))
      const error = await failure
      await closed
      waits.push(Date.now() - cancelledAt)

      if (error.reason !== 'cancelled' || error.code !== 'CANCELLED') {
        t.fail(`round ${round}: ${error.reason}`)
      }
      if (tokens === 0 ? error.usage !== undefined : (error.usage?.outputTokens ?? 0) < 3) {
        t.fail(`round ${round}: usage ${JSON.stringify(error.usage)}`)
      }
    }

    t.equal(peer.closedByClient.length, 50)
    t.ok(Math.max(...waits) < 2_000, `the slowest took ${Math.max(...waits)} ms`)
  })
}

t.test('a call whose signal has fired already asks nobody', async (t) => {
  const { client, peer } = await setup(t)

  const error = await failureOf(client.chat(request, { signal: AbortSignal.abort(new Error('gone')) }))

  t.match(error, { reason: 'cancelled', cause: { message: 'gone' } })
  t.strictSame(peer.requests, [])
})

t.test(
  'cancelling while the reader of the text hangs ends the call with what was spent so far',
  async (t) => {
    const { client, peer } = await setup(t, { script: [{ kind: 'endless' }] })
    const cancel = new AbortController()

    const error = await failureOf(
      client.chat(request, {
        signal: cancel.signal,
        onText: async () => {
          cancel.abort()
          await new Promise(() => {})
        }
      })
    )

    t.match(error, { reason: 'cancelled', usage: { outputTokens: 1 } })
    t.ok((error.usage?.promptTokens ?? 0) > 0)
    t.equal(error.usage?.tokensUsed, (error.usage?.promptTokens ?? 0) + 1)
    await poll(() => peer.closedByClient.length === 1)
  }
)

t.test('a signal shared by many calls keeps no listener of those that ended', async (t) => {
  const { client } = await setup(t)
  const shared = new AbortController()
  let listeners = 0
  const { signal } = shared
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--
    remove(...args)
  }

  for (let round = 0; round < 5; round++) await client.chat(request, { signal })

  t.equal(listeners, 0)
})

t.test('what a runtime sends after its last line does not keep the call or the connection', async (t) => {
  let closed = false
  const url = await rawServer(t, (response) => {
    response.once('close', () => {
      closed = true
    })
    response.write(chunk('a') + chunk('', { done: true, done_reason: 'stop' }) + chunk('never'))
  })

  t.equal((await clientFor(url).chat(request, { signal: new AbortController().signal })).text, 'a')

  await poll(() => closed)
})
