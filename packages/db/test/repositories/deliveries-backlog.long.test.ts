import pg from 'pg'
import t from 'tap'
import { createId } from '@filewright/runtime'
import { replay } from '../../src/repositories/deliveries.repository.js'
import { openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)
const { deliveries, webhooks } = db
const client = new pg.Client(server.url)
await client.connect()
t.teardown(async () => await client.end())
t.afterEach(async () => {
  await client.query('TRUNCATE webhook_deliveries, webhook_endpoints, events')
})

/** As many as an endpoint accumulates in hours of downtime. */
const BACKLOG = 100_000

async function endpoint(id: string): Promise<string> {
  const given = { id, projectId: id, tokenId: id, url: 'https://x.y', description: '', secret: 's' }
  await webhooks.create({ ...given, events: ['file.created'] }, 10)
  return id
}

/** `file` is an expression of i. The table is not analyzed afterwards, as after a sudden outage. */
async function insertDue(endpointId: string, count: number, file: string, firstEvent = 1): Promise<void> {
  await client.query(
    `INSERT INTO webhook_deliveries (endpoint_id, event_txid, event_id, file_id, next_attempt_at)
    SELECT $1, 1, $3::int + i, ${file}, now() - interval '1 minute' FROM generate_series(1, $2::int) i`,
    [endpointId, count, firstEvent]
  )
}

const CLAIM = "SELECT * FROM claim_webhook_deliveries('me', 45000, 256, 5, 16, 3, 16, 48)"

/** The endpoints of the claimed deliveries, and how many database blocks the claim reads. */
async function claim(): Promise<{ taken: string[]; blocks: number }> {
  await client.query('BEGIN')
  const { rows: plans } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${CLAIM}`)
  await client.query('ROLLBACK')
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plans[0]['QUERY PLAN'][0].Plan
  const { rows } = await client.query<{ id: string; endpoint_id: string }>(CLAIM)
  await client.query(
    "UPDATE webhook_deliveries SET claim = NULL, state = 'delivered' WHERE id = ANY ($1::bigint[])",
    [rows.map(({ id }) => id)]
  )
  return { taken: rows.map((row) => row.endpoint_id), blocks: hit + read }
}

t.test('a claim reads as little with 100,000 due deliveries of a dead endpoint as without', async (t) => {
  const good = await endpoint(createId())
  await insertDue(good, 60, "'file-' || i")
  // PostgreSQL plans the statements and reads its catalog.
  for (let i = 0; i < 8; i++) await claim()
  const alone = await claim()
  const dead = await endpoint(createId())
  await insertDue(dead, BACKLOG, "'file-' || i")
  for (let i = 0; i < 2; i++) await claim()

  const beside = await claim()

  t.strictSame(beside.taken.toSorted(), [dead, good].toSorted())
  // The cost of one more endpoint, whose deliveries occupy about 2,000 blocks.
  t.ok(beside.blocks < alone.blocks + 600, `${alone.blocks} blocks alone, ${beside.blocks} beside`)
})

t.test('events of one file that wait for each other do not delay others', async (t) => {
  const [hot, good] = [await endpoint(createId()), await endpoint(createId())]
  await insertDue(hot, 20_000, "'one file'")
  await insertDue(hot, 3, "'other ' || i", 20_000)
  await insertDue(good, 10, "'file-' || i")

  const found = await deliveries.claim({
    claim: 'first',
    leaseMs: 3_600_000,
    max: 256,
    perEndpoint: 5,
    maxFailing: 16,
    maxSlow: 16,
    perOwner: 48,
    orderedAttempts: 3
  })
  t.strictSame(found.map(({ endpointId }) => endpointId).toSorted(), [hot, good].toSorted())
  const first = found.find(({ endpointId }) => endpointId === hot)
  await client.query('UPDATE webhook_endpoints SET at_once = 2')
  const { taken, blocks } = await claim()
  t.strictSame(taken, [good])
  // It changes at most 1,000 waiting deliveries.
  t.ok(blocks < 100_000, `${blocks} blocks`)
  for (let i = 0; i < 40; i++) await claim()
  const { rows } = await client.query<{ due: number; delivered: number }>(
    `SELECT count(*) FILTER (WHERE state = 'pending' AND next_attempt_at <= now())::int AS due,
      count(*) FILTER (WHERE state = 'delivered' AND file_id LIKE 'other%')::int AS delivered
    FROM webhook_deliveries WHERE endpoint_id = $1`,
    [hot]
  )
  t.strictSame(rows, [{ due: 0, delivered: 3 }], 'what waits is not looked at again')
  const idle = await claim()
  t.ok(idle.blocks < 2_000, `${idle.blocks} blocks`)

  const result = {
    isDelivered: true,
    isPrompt: true,
    status: 204,
    durationMs: 1,
    error: null,
    response: '',
    retryMs: 0,
    isGone: false
  }
  await deliveries.record(first?.id ?? '', 'first', result, { giveUpHours: 24, orderedAttempts: 3 })
  const { rows: next } = await client.query<{ event_id: string }>(CLAIM)
  t.match(next, [{ endpoint_id: hot, event_id: '3', file_id: 'one file' }], 'the next one of the file')
})

t.test('requests about an endpoint with 100,000 deliveries change a bounded number of them', async (t) => {
  const id = await endpoint(createId())
  await insertDue(id, BACKLOG, "'file-' || i")
  const countOf = async (condition: string): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND ${condition}`
    return (await client.query<{ count: number }>(text, [id])).rows[0]?.count ?? -1
  }
  await client.query(
    "UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1",
    [id]
  )

  t.match(await webhooks.change(id, { enabled: false }, ''), { enabled: false })
  t.equal(await countOf('next_attempt_at <= now()'), 0)
  t.match(await webhooks.change(id, { enabled: true }, ''), { enabled: true })
  t.equal(await countOf('next_attempt_at <= now()'), 5_000)
  t.equal(await webhooks.remove(id, ''), true)
  t.equal(await countOf('true'), BACKLOG - 5_000)
  t.strictSame((await claim()).taken, [], 'nothing of it is delivered any more')
  const kept = await endpoint(createId())
  await insertDue(kept, 5, "'file-' || i")
  while ((await deliveries.removeOrphans(20_000)) > 0);
  t.equal(await countOf('true'), 0)
  t.strictSame((await claim()).taken, [kept], 'others keep theirs')
})

t.test('a replay looks up each event once, however many deliveries wait', async (t) => {
  const id = await endpoint(createId())
  await insertDue(id, 3 * BACKLOG, "'file-' || i", 1_000_000)
  await client.query(
    `INSERT INTO events (txid, id, type, project_id, file_id, data)
    SELECT 1, 1000000 + i, 'file.created', $1, 'file-' || i, '{}' FROM generate_series(1, 30000) i`,
    [id]
  )
  await client.query(
    "UPDATE webhook_deliveries SET state = 'delivered' WHERE endpoint_id = $1 AND event_id <= 1020000",
    [id]
  )
  await client.query('ANALYZE webhook_deliveries')
  const { rows } = await client.query(`EXPLAIN ${replay.text}`, [id, null, null, null, null, 10_000])

  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  t.match(
    plan,
    /webhook_deliveries_order_idx on webhook_deliveries p_1 [^\n]*\n +Index Cond: .*event_id = e\.id/,
    plan
  )
  t.notMatch(plan, 'Seq Scan on webhook_deliveries', plan)
  const options = { endpointId: id, event: null, from: null, to: null, limit: 10_000 }
  t.equal(await deliveries.replay(options, ''), 10_000)
  t.equal(await deliveries.replay(options, ''), 10_000)
  t.equal(await deliveries.replay(options, ''), 0)
})
