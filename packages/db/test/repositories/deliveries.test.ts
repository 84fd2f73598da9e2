import pg from 'pg'
import t, { type Test } from 'tap'
import { createId } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import type { AttemptResult, ClaimedDelivery, ClaimOptions } from '../../src/index.js'
import { insertReady, openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t, { isShared: false })
const { deliveries, webhooks, files, trash } = db

async function endpoint(
  t: Test,
  {
    projectId = createId() as string | null,
    events = ['file.created', 'file.deleted'],
    tokenId = 'token-1',
    atOnce = 5
  } = {}
): Promise<{ id: string; projectId: string }> {
  const id = createId()
  const url = 'https://example.com/hook'
  await webhooks.create({ id, projectId, tokenId, url, events, description: '', secret: 'sealed' }, 10)
  await server.query('UPDATE webhook_endpoints SET at_once = $2 WHERE id = $1', [id, atOnce])
  t.teardown(async () => await webhooks.remove(id, ''))
  return { id, projectId: projectId ?? createId() }
}

async function fanOut(): Promise<void> {
  while ((await deliveries.fanOut(100)) > 0);
}

const claimed = async (options: Partial<ClaimOptions> = {}): Promise<ClaimedDelivery[]> =>
  await deliveries.claim({
    claim: 'me',
    leaseMs: 60_000,
    max: 100,
    perEndpoint: 5,
    maxFailing: 10,
    maxSlow: 10,
    perOwner: 100,
    orderedAttempts: 3,
    ...options
  })

const delivered: AttemptResult = {
  isDelivered: true,
  isPrompt: true,
  status: 204,
  durationMs: 5,
  error: null,
  response: '',
  retryMs: 0,
  isGone: false
}
const failed: AttemptResult = { ...delivered, isDelivered: false, status: 500, response: 'oops' }
const end = async ({ id }: ClaimedDelivery, result = delivered, claim = 'me') =>
  await deliveries.record(id, claim, result, { giveUpHours: 24, orderedAttempts: 3 })

const typesOf = (found: ClaimedDelivery[]): Array<string | undefined> => found.map(({ event }) => event?.type)

t.test('an event goes once to each subscribed endpoint, and to no other project', async (t) => {
  const mine = await endpoint(t)
  const other = await endpoint(t)
  const deletesOnly = await endpoint(t, { projectId: mine.projectId, events: ['file.deleted'] })
  const operator = await endpoint(t, { projectId: null, events: ['file.created', 'scanner.degraded'] })
  const { id } = await insertReady(db, mine.projectId)
  await Promise.all(Array.from({ length: 5 }, fanOut))

  const found = await claimed()
  t.strictSame(found.map(({ endpointId }) => endpointId).sort(), [mine.id, operator.id].sort())
  t.match(found[0]?.event, { type: 'file.created', data: { file_id: id } })
  t.notMatch(found, [{ endpointId: other.id }])
  t.notMatch(found, [{ endpointId: deletesOnly.id }])
  t.strictSame(await claimed(), [], 'claimed')
  for (const delivery of found) t.strictSame(await end(delivery), { isDisabled: false })
  t.strictSame(await claimed(), [], 'delivered')
})

t.test("a generation's event goes to the endpoints of its token only", async (t) => {
  const events = ['generation.completed']
  const mine = await endpoint(t, { events, tokenId: 'asker' })
  await endpoint(t, { events, tokenId: 'somebody' })
  const id = createId()
  await db.generations.create({ id, kind: 'analyze', tokenId: 'asker', startedAt: new Date() })
  await db.generations.finish(id, { outcome: 'succeeded', finishedAt: new Date() })
  await fanOut()

  t.strictSame(
    (await claimed()).map(({ endpointId }) => endpointId),
    [mine.id]
  )
})

t.test("a token that changes the address does not get events of another token's generations", async (t) => {
  const mine = await endpoint(t, { events: ['generation.completed'], tokenId: 'first' })
  const generate = async (tokenId: string): Promise<void> => {
    const id = createId()
    await db.generations.create({ id, kind: 'analyze', tokenId, startedAt: new Date() })
    await db.generations.finish(id, { outcome: 'succeeded', finishedAt: new Date() })
    await fanOut()
  }
  await generate('first')
  await webhooks.change(mine.id, { description: 'the address stays' }, 'second')
  t.match(await claimed({ leaseMs: 0 }), [{ event: { type: 'generation.completed' } }])

  await webhooks.change(mine.id, { url: 'https://example.com/second' }, 'second')
  await generate('first')
  const [waited, ...others] = await claimed()
  t.match(waited, { event: null, url: 'https://example.com/second' })
  t.strictSame(others, [])
  await generate('second')
  t.match(await claimed(), [{ event: { type: 'generation.completed' } }])
})

t.test('events from before an endpoint, or while it was disabled, are not delivered to it', async (t) => {
  const { id, projectId } = await endpoint(t)
  await webhooks.change(id, { enabled: false }, '')
  await insertReady(db, projectId)
  await fanOut()
  await webhooks.change(id, { enabled: true }, '')

  t.strictSame(await claimed(), [])
  t.equal(await deliveries.replay({ endpointId: id, event: null, from: null, to: null, limit: 10 }, ''), 1)
  t.strictSame(typesOf(await claimed()), ['file.created'])
})

t.test('an expired claim is repeated, and its late result does not count', async (t) => {
  const { projectId } = await endpoint(t)
  await insertReady(db, projectId)
  await fanOut()
  const [lost] = await claimed({ claim: 'dead', leaseMs: 0 })
  const [again] = await claimed({ claim: 'me' })
  if (lost === undefined || again === undefined) throw new Error('not claimed')

  t.equal(again.id, lost.id)
  t.equal(again.eventId, lost.eventId, 'the receiver can recognise the repetition')
  t.equal(await end(lost, delivered, 'dead'), null)
  t.strictSame(await end(again), { isDisabled: false })
})

t.test(
  'a later event of a file waits for the earlier one, until that has failed several times',
  async (t) => {
    const { projectId } = await endpoint(t)
    const file = await insertReady(db, projectId)
    await files.markTrashed(file.id)
    await trash.restore(file.id)
    const other = await insertReady(db, projectId)
    await fanOut()

    const first = await claimed()
    t.strictSame(
      first.map(({ event }) => event?.data['file_id']),
      [file.id, other.id]
    )
    for (const delivery of first) await end(delivery)
    const [second, ...rest] = await claimed()
    if (second === undefined) throw new Error('not claimed')
    t.strictSame(rest, [])
    t.equal(second.event?.type, 'file.deleted')

    await end(second, failed)
    for (const attempt of [2, 3]) {
      const [retry] = await claimed()
      t.match(retry, { id: second.id, attempts: attempt - 1 }, `attempt ${attempt} alone`)
      if (retry !== undefined) await end(retry, failed)
    }
    const next = await claimed()
    t.strictSame(
      typesOf(next),
      ['file.created'],
      'the order is given up; a failing endpoint gets one at a time'
    )
    await end(next[0] ?? second)
    t.strictSame(typesOf(await claimed()), ['file.deleted'])
  }
)

t.test('an endpoint has a bounded number of attempts, and endpoints take turns', async (t) => {
  const [busy, quiet] = [await endpoint(t), await endpoint(t)]
  for (let i = 0; i < 12; i++) await insertReady(db, busy.projectId)
  await insertReady(db, quiet.projectId)
  await fanOut()
  const of = (found: ClaimedDelivery[], { id }: { id: string }): number =>
    found.filter(({ endpointId }) => endpointId === id).length

  const all = (await Promise.all([claimed(), claimed(), claimed(), claimed()])).flat()
  t.equal(of(all, busy), 5, 'whatever the number of relays')
  t.equal(of(all, quiet), 1)
  for (const delivery of all) await end(delivery)
  await insertReady(db, quiet.projectId)
  await fanOut()

  t.equal((await claimed({ max: 1 })).length, 1)
  t.equal(of(await claimed({ max: 5 }), quiet) <= 1, true)
})

t.test('all failing endpoints together take a bounded number of attempts', async (t) => {
  const broken = [await endpoint(t), await endpoint(t), await endpoint(t)]
  const good = await endpoint(t)
  for (const { projectId } of [...broken, good]) for (let i = 0; i < 3; i++) await insertReady(db, projectId)
  await fanOut()
  for (const { id } of broken) {
    await server.query('UPDATE webhook_endpoints SET failing_since = now() WHERE id = $1', [id])
  }

  const found = await claimed({ maxFailing: 2 })
  t.equal(found.filter(({ endpointId }) => endpointId === good.id).length, 3)
  t.equal(found.length, 5)
})

t.test(
  'an endpoint gets more attempts at once with each prompt response, and one after a slow one',
  async (t) => {
    const { projectId } = await endpoint(t, { atOnce: 1 })
    for (let i = 0; i < 20; i++) await insertReady(db, projectId)
    await fanOut()

    for (const [expected, isPrompt] of [
      [1, true],
      [2, true],
      [4, false],
      [1, true],
      [2, true]
    ] as const) {
      const found = await claimed()
      t.equal(found.length, expected)
      for (const delivery of found) await end(delivery, { ...delivered, isPrompt })
    }
  }
)

t.test(
  'new and slow endpoints together, and those of one token, take a bounded number of attempts',
  async (t) => {
    const slow = [
      await endpoint(t, { atOnce: 1 }),
      await endpoint(t, { atOnce: 1 }),
      await endpoint(t, { atOnce: 1 })
    ]
    const greedy = [await endpoint(t, { tokenId: 'greedy' }), await endpoint(t, { tokenId: 'greedy' })]
    const good = await endpoint(t, { tokenId: 'modest' })
    for (const { projectId } of [...slow, ...greedy, good]) {
      for (let i = 0; i < 5; i++) await insertReady(db, projectId)
    }
    await fanOut()

    const limits = { maxSlow: 2, perOwner: 7 }
    // One after another: concurrent claims count before they take deliveries, and may take a few more.
    const all = await claimed({ ...limits, max: 3 })
    const rest = [...(await claimed(limits)), ...(await claimed(limits))]
    const of = (endpoints: Array<{ id: string }>): number =>
      [...all, ...rest].filter(({ endpointId }) => endpoints.some(({ id }) => id === endpointId)).length
    t.ok(of(slow) <= 2, `${of(slow)} of slow ones`)
    t.ok(of(greedy) <= 7, `${of(greedy)} of one token`)
    t.equal(of([good]), 5)
  }
)

t.test("a token's new and failing endpoints do not delay another token's new one", async (t) => {
  const greedy = []
  for (let i = 0; i < 8; i++) greedy.push(await endpoint(t, { tokenId: 'hoarder', atOnce: 1 }))
  for (const { id } of greedy.slice(0, 2)) {
    await server.query('UPDATE webhook_endpoints SET failing_since = now() WHERE id = $1', [id])
  }
  const modest = await endpoint(t, { tokenId: 'newcomer', atOnce: 1 })
  for (const { projectId } of [...greedy, modest]) await insertReady(db, projectId)
  await fanOut()

  const found = await claimed({ maxSlow: 6, maxFailing: 6 })
  t.equal(found.filter(({ endpointId }) => endpointId === modest.id).length, 1)
  t.equal(found.length, 4)
  t.strictSame(await claimed({ maxSlow: 6, maxFailing: 6 }), [], 'those under way count')
})

t.test(
  'an endpoint that fails for a day, or is gone, is disabled; once enabled again it gets its waiting deliveries',
  async (t) => {
    const { id, projectId } = await endpoint(t)
    await insertReady(db, projectId)
    await fanOut()
    const attempt = async (result: AttemptResult): Promise<unknown> => {
      const [one] = await claimed()
      return one === undefined ? 'nothing' : await end(one, result)
    }

    t.strictSame(await attempt({ ...failed, isGone: true }), { isDisabled: true })
    t.match(await webhooks.find(id, ''), { enabled: false, disabledReason: 'the endpoint answered 410 Gone' })
    t.equal(await attempt(failed), 'nothing')
    t.match(await webhooks.change(id, { enabled: true }, ''), {
      enabled: true,
      disabledReason: null,
      failingSince: null
    })
    t.strictSame(await attempt(failed), { isDisabled: false })
    await server.query(
      "UPDATE webhook_endpoints SET failing_since = now() - interval '25 hours' WHERE id = $1",
      [id]
    )
    t.strictSame(await attempt(failed), { isDisabled: true })
    t.match(await webhooks.find(id, ''), {
      enabled: false,
      disabledReason: 'every attempt failed for 24 hours'
    })
    const [logged] = await deliveries.list({ endpointId: id, before: null, limit: 10, state: null }, '')
    t.match(logged, { type: 'file.created', state: 'pending', attempts: 3, status: 500, response: 'oops' })
  }
)

t.test('secrets rotate with an overlap of two', async (t) => {
  const { id, projectId } = await endpoint(t)
  await webhooks.rotate(id, { secret: 'second', overlapHours: 1 }, '')
  await webhooks.rotate(id, { secret: 'third', overlapHours: 1 }, '')
  await insertReady(db, projectId)
  await fanOut()
  t.match(await claimed({ leaseMs: 0 }), [{ secrets: ['third', 'second'] }])

  await server.query('UPDATE webhook_endpoints SET previous_secret_expires_at = now() WHERE id = $1', [id])
  t.match(await claimed(), [{ secrets: ['third'] }])
})

t.test('requests at the same time do not get more endpoints than a project may have', async (t) => {
  await server.query(`
    CREATE FUNCTION wait_a_moment() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.1); RETURN NULL; END'`)
  await server.query(`
    CREATE TRIGGER wait_a_moment AFTER INSERT ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION wait_a_moment()`)
  t.teardown(async () => await server.query('DROP FUNCTION wait_a_moment CASCADE'))
  const projectId = createId()
  const created = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const id = createId()
      const extra = { id, projectId, tokenId: id, url: 'https://x.y', events: [], description: '' }
      return await webhooks.create({ ...extra, secret: 's' }, 3)
    })
  )

  t.equal(created.filter((endpoint) => endpoint !== null).length, 3)
  t.equal((await webhooks.list(projectId, '')).length, 3)
})

t.test('a replay skips events that already wait for delivery', async (t) => {
  const { id, projectId } = await endpoint(t)
  await insertReady(db, projectId)
  await insertReady(db, projectId)
  await fanOut()
  const replay = async (): Promise<number> =>
    await deliveries.replay({ endpointId: id, event: null, from: null, to: null, limit: 10 }, '')

  t.equal(await replay(), 0)
  const [first] = await claimed()
  if (first !== undefined) await end(first)
  t.equal(await replay(), 1, 'delivered again')
  t.equal(await replay(), 0)
})

t.test('a project has a bounded number of endpoints, and old deliveries are removed', async (t) => {
  const { projectId } = await endpoint(t)
  const extra = { id: createId(), projectId, tokenId: null, url: 'https://x.y', events: [], description: '' }
  t.equal(await webhooks.create({ ...extra, secret: 's' }, 1), null)
  await insertReady(db, projectId)
  await fanOut()
  t.equal(await deliveries.removeOld({ days: 1, limit: 10 }), 0)
  t.match(await deliveries.backlog(), { due: 1 })
  t.equal(await deliveries.removeOld({ days: -1, limit: 10 }), 1)
})

t.test('endpoints that are created at the same time do not exceed the limit', async (t) => {
  const projectId = createId()
  const url = 'https://example.com/hook'
  // Each INSERT waits in a trigger until all have begun.
  const holder = new pg.Client(server.url)
  await holder.connect()
  await holder.query(`
    SELECT pg_advisory_lock(1);
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION wait()`)
  t.teardown(async () => {
    await holder.query('DROP TRIGGER wait ON webhook_endpoints')
    await holder.end()
    for (const { id } of await webhooks.list(projectId, '')) await webhooks.remove(id, '')
  })
  const creating = Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      const given = { id: createId(), projectId, tokenId: `token-${at}`, url, events: [], description: '' }
      return await webhooks.create({ ...given, secret: 'sealed' }, 2)
    })
  )
  const waiting = `
    SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
  await poll(async () => (await holder.query(waiting)).rowCount === 4, { timeoutMs: 20_000 })
  await holder.query('SELECT pg_advisory_unlock(1)')

  t.equal((await creating).filter((each) => each !== null).length, 2)
  t.equal((await webhooks.list(projectId, '')).length, 2)
})
