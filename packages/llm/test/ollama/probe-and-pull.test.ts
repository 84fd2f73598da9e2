import t from 'tap'
import { freePort } from '@filewright/testing'
import type { PullProgress } from '../../src/index.js'
import { clientFor, failureOf, impatient, never, rawServer, setup } from './setup.js'

t.test('a probe returns the version and the missing models, each once', async (t) => {
  const { client } = await setup(
    t,
    { models: ['here', 'there:7b'] },
    {
      models: {
        'alpha-4o-mini': { model: 'here:latest', fallback: 'gone:1b' },
        'alpha-4o': { model: 'there:7b', fallback: 'gone:1b' },
        'beta-3': { model: 'lost' },
        gamma: { model: 'here' }
      }
    }
  )

  const { version, missing } = await client.probe()

  t.match(version, /^\d+\.\d+/)
  t.strictSame(missing, ['gone:1b', 'lost'])
})

t.test(
  'a probe fails within its deadline if there is no server, another server or a frozen one',
  async (t) => {
    const frozen = await rawServer(t, () => {})
    const other = await rawServer(t, (response) => {
      response.end('<html>')
    })
    const startedAt = Date.now()

    t.equal((await failureOf(clientFor(`http://127.0.0.1:${await freePort()}`).probe())).reason, 'down')
    t.equal((await failureOf(clientFor(other).probe())).reason, 'protocol')
    t.equal((await failureOf(clientFor(frozen, { timeouts: impatient }).probe())).reason, 'timeout')
    t.equal((await failureOf(clientFor(frozen).probe(AbortSignal.timeout(50)))).reason, 'cancelled')
    t.ok(Date.now() - startedAt < 30_000)
  }
)

t.test('a pull reports its progress, and afterwards the model exists', async (t) => {
  const { client } = await setup(t, { models: [] })
  const steps: PullProgress[] = []

  await client.pull(
    'small:1b',
    (step) => {
      steps.push(step)
    },
    never
  )

  t.equal(steps.at(-1)?.status, 'success')
  t.ok(
    steps.some(
      ({ completedBytes, totalBytes }) => completedBytes !== undefined && completedBytes === totalBytes
    )
  )
  t.strictSame((await client.probe()).missing, [])
})

t.test('a pull that fails in the runtime, or ends early, fails', async (t) => {
  const unknown = await rawServer(t, (response) => {
    response.end('{"status":"pulling manifest"}\n{"error":"pull model manifest: file does not exist"}\n')
  })
  const cut = await rawServer(t, (response) => {
    response.end('{"status":"pulling manifest"}\n')
  })

  t.match(await failureOf(clientFor(unknown).pull('x', () => {}, never)), {
    reason: 'failed',
    message: /file does not exist/
  })
  t.equal((await failureOf(clientFor(cut).pull('x', () => {}, never))).reason, 'cut-off')
})

t.test('a pull can be cancelled', async (t) => {
  const url = await rawServer(t, (response) => {
    response.write('{"status":"pulling manifest"}\n')
  })
  const cancel = new AbortController()

  const error = await failureOf(
    clientFor(url).pull(
      'x',
      () => {
        cancel.abort()
      },
      cancel.signal
    )
  )

  t.equal(error.reason, 'cancelled')
})
