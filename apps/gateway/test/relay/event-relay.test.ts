import t, { type Test } from 'tap'
import type { DeliveryPayload, DeliveryResult } from '@filewright/queue'
import { AppError, type HealthEntry } from '@filewright/runtime'
import { backoffMs } from '../../src/relay/backoff.js'
import { createScannerWatch } from '../../src/relay/scanner-watch.js'
import { startTestGateway, type TestGateway } from '../helpers/test-gateway.js'

t.setTimeout(300_000)

const ok: DeliveryResult = { status: 200, durationMs: 1, error: null, response: 'fine' }
const internalError: DeliveryResult = { ...ok, status: 500, response: 'oops' }

interface Opened {
  gateway: TestGateway
  create: (project: string, events?: string[]) => Promise<string>
  turn: () => Promise<number>
  deliveriesOf: (id: string) => Promise<Array<Record<string, unknown>>>
  /** Makes all deliveries due. */
  hurry: () => Promise<void>
}

async function open(t: Test): Promise<Opened> {
  const gateway = await startTestGateway(t, { webhookKey: 'a key for the tests' })
  const headers = { authorization: `Bearer ${await gateway.token('*')}` }
  const created: string[] = []
  // The tests of this file share a database.
  t.teardown(async () => {
    for (const id of created) await gateway.database.webhooks.remove(id, '')
  })
  return {
    gateway,
    create: async (project, events = ['file.created', 'file.deleted', 'file.rejected']) => {
      const payload = { project_id: project, url: `http://127.0.0.1:8080/${project}`, events }
      const answer = await gateway.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload })
      const { id } = answer.json().webhook
      created.push(id)
      return id
    },
    turn: async () => {
      await gateway.eventsVisible()
      const begun = await gateway.relay.turn()
      await gateway.relay.idle()
      return begun
    },
    deliveriesOf: async (id) => {
      const answer = await gateway.app.inject({ url: `/api/webhooks/${id}/deliveries`, headers })
      return answer.json().deliveries
    },
    hurry: async () => {
      for (const id of created) await gateway.database.webhooks.change(id, { enabled: true }, '')
    }
  }
}

t.test('an upload is delivered, and the log says how', async (t) => {
  const { gateway, create, turn, deliveriesOf } = await open(t)
  const id = await create('relay')
  const sent: DeliveryPayload[] = []
  gateway.onDelivery(async (payload) => {
    sent.push(payload)
    return ok
  })
  const fileId = await gateway.store({ project: 'relay', name: 'a.txt' })

  t.equal(await turn(), 1)

  t.match(sent, [{ url: 'http://127.0.0.1:8080/relay', eventId: /^evt_/, endpointId: id }])
  t.match(JSON.parse(sent[0]?.body ?? ''), {
    type: 'file.created',
    timestamp: /^\d{4}-.*Z$/,
    data: { project_id: 'relay', file_id: fileId, name: 'a.txt', restored: false }
  })
  t.match(await deliveriesOf(id), [
    {
      type: 'file.created',
      state: 'delivered',
      attempts: 1,
      status: 200,
      response: 'fine',
      next_attempt_at: null
    }
  ])
  t.equal(await turn(), 0)
})

t.test('a delivery whose event was removed fails, and does not count against the endpoint', async (t) => {
  const { gateway, create, turn, deliveriesOf } = await open(t)
  const id = await create('forgotten')
  gateway.onDelivery(async () => ok)
  await gateway.store({ project: 'forgotten', name: 'a.txt' })
  while ((await gateway.database.deliveries.fanOut(100)) > 0);
  while ((await gateway.database.events.removeOld({ days: -1, limit: 1_000 })) > 0);

  await turn()

  t.match(await deliveriesOf(id), [{ state: 'failed', attempts: 0, error: /not kept/ }])
  t.match(await gateway.database.webhooks.find(id, ''), { enabled: true, failingSince: null })
})

t.test('a refused upload is an event with the reason and without the content', async (t) => {
  const { gateway, create, turn } = await open(t)
  await create('refusals')
  const bodies: string[] = []
  gateway.onDelivery(async ({ body }) => {
    bodies.push(body)
    return ok
  })
  const upload = async (name: string, content: string | Buffer): Promise<unknown> =>
    (
      await gateway.upload([
        { name: 'project_id', value: 'refusals' },
        { name: 'file', filename: name, content }
      ])
    ).headers['x-rejection']
  const refusedType = await upload(
    'setup.exe',
    Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.from('CANARY'.padEnd(200, '\0'))])
  )
  gateway.onScan(async () => ({ verdict: 'infected', signature: 'Eicar-Test', engine: 'test/1' }))
  const infected = await upload('virus.txt', 'CANARY')
  // A new webhook gets one event at a time.
  t.equal(await turn(), 1)
  t.equal(await turn(), 1)

  t.strictSame(
    bodies.map((body) => JSON.parse(body).data).map(({ name, code, reason }) => [name, `${code}; ${reason}`]),
    [
      ['setup.exe', refusedType],
      ['virus.txt', infected]
    ]
  )
  t.notMatch(bodies.join(), /CANARY|Eicar/)
})

t.test('an upload that failed for other reasons causes no event', async (t) => {
  const { gateway, create, turn } = await open(t)
  await create('failures')
  gateway.onScan(async () => {
    throw new AppError('QUEUE_UNAVAILABLE', 'down')
  })
  await t.rejects(gateway.store({ project: 'failures' }))

  t.equal(await turn(), 0)
})

t.test('a failed attempt is repeated later, with the same id and body', async (t) => {
  const { gateway, create, turn, deliveriesOf, hurry } = await open(t)
  const id = await create('retries')
  const sent: string[] = []
  let result = internalError
  gateway.onDelivery(async ({ eventId, body }) => {
    sent.push(eventId + body)
    return result
  })
  await gateway.store({ project: 'retries' })
  await turn()

  t.equal(await turn(), 0, 'not at once')
  t.match(await deliveriesOf(id), [{ state: 'pending', attempts: 1, status: 500, response: 'oops' }])
  result = ok
  await hurry()
  t.equal(await turn(), 1)
  t.match(await deliveriesOf(id), [{ state: 'delivered', attempts: 2, status: 200 }])
  t.equal(sent[0], sent[1])
})

t.test('without a queue nothing is lost and no attempt is counted', async (t) => {
  const { gateway, create, turn, deliveriesOf, hurry } = await open(t)
  const id = await create('outage')
  gateway.onDelivery(async () => {
    throw new AppError('QUEUE_UNAVAILABLE', 'Redis is down', { retryable: true })
  })
  await gateway.store({ project: 'outage' })
  await turn()
  t.match(await deliveriesOf(id), [{ state: 'pending', attempts: 0, status: null }])

  gateway.onDelivery(async () => ok)
  await hurry()
  t.equal(await turn(), 1)
})

t.test('a hanging or failing endpoint does not delay other endpoints', async (t) => {
  const { gateway, create, turn, deliveriesOf } = await open(t)
  const [hanging, failing, good] = [await create('hanging'), await create('failing'), await create('good')]
  let release = (): void => {}
  const hung = new Promise<void>((resolve) => {
    release = resolve
  })
  gateway.onDelivery(async ({ endpointId }) => {
    if (endpointId === hanging) await hung
    return endpointId === failing ? internalError : ok
  })
  const isDone = async (id: string): Promise<boolean[]> =>
    (await deliveriesOf(id)).map(({ state }) => state === 'delivered')
  for (let i = 0; i < 8; i++) {
    for (const project of ['hanging', 'failing', 'good']) await gateway.store({ project, name: `${i}` })
  }

  // Each pass starts the attempts that are allowed; none waits for the hanging endpoint.
  const begun: number[] = []
  do begun.push(await gateway.relay.turn())
  while (!(await isDone(good)).every(Boolean))
  t.strictSame(await isDone(good), Array(8).fill(true))
  t.strictSame(await isDone(hanging), Array(8).fill(false))
  t.equal(begun[0], 3, 'one each')
  release()
  await turn()
})

t.test('a replay delivers one event or a range again', async (t) => {
  const { gateway, create, turn, deliveriesOf } = await open(t)
  const id = await create('replays')
  const sent: string[] = []
  gateway.onDelivery(async ({ eventId }) => {
    sent.push(eventId)
    return ok
  })
  for (const name of ['a', 'b', 'c']) await gateway.store({ project: 'replays', name })
  while ((await turn()) > 0);
  const headers = { authorization: `Bearer ${await gateway.token('replays')}` }
  const replay = async (payload: object): Promise<unknown> =>
    (await gateway.app.inject({ method: 'POST', url: `/api/webhooks/${id}/replay`, headers, payload })).json()

  t.strictSame(await replay({ event_id: sent[1] }), { replayed: 1 })
  while ((await turn()) > 0);
  t.strictSame(sent.slice(3), [sent[1]])
  t.strictSame(await replay({ from: '2026-01-01T00:00:00Z' }), { replayed: 3 })
  t.strictSame(await replay({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }), { replayed: 0 })
  while ((await turn()) > 0);
  t.strictSame(sent.slice(4), sent.slice(0, 3), 'in their order')
  t.equal((await deliveriesOf(id)).length, 7)
})

t.test('attempts continue for a day, at growing intervals', async (t) => {
  let hours = 0
  let attempts = 1
  for (; hours < 24; attempts++) hours += backoffMs(attempts, () => 0.5) / 3_600_000

  t.equal(
    backoffMs(1, () => 0.5),
    5_000
  )
  t.ok(attempts > 10 && attempts < 25, `${attempts} attempts`)
  t.ok(backoffMs(3, () => 0) < backoffMs(3, () => 1))
})

t.test('one event reports a degraded scanner after three consecutive checks', async (t) => {
  const noted: string[] = []
  let clamd: HealthEntry['state'] = 'unknown'
  const watch = createScannerWatch({
    health: {
      report: () => ({
        status: 'ok',
        checks: {
          clamd: { state: clamd, age_seconds: 1 },
          'scan-queue': { state: 'ok', age_seconds: 1 }
        }
      })
    },
    events: {
      notePart: async (part, state) => {
        noted.push(`${part} ${state}`)
        return true
      }
    },
    logger: { warn: () => {} }
  })
  const looks = [
    'unknown',
    'ok',
    'ok',
    'ok',
    'ok',
    'down',
    'ok',
    'down',
    'down',
    'degraded',
    'down',
    'ok',
    'ok',
    'ok'
  ]
  for (const next of looks as Array<HealthEntry['state']>) {
    clamd = next
    await watch.look()
  }

  t.strictSame(noted, ['scanner ok', 'scanner degraded', 'scanner ok'])
})
