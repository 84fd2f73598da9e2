import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import { poll, startRedisServer } from '@filewright/testing'
import { Redis } from 'ioredis'
import { createLeases } from '../../src/fair/leases.js'
import { laneKey, slotsKey } from '../../src/keys.js'
import type { QueueClient } from '../../src/index.js'
import { createLatch, echo, payloadOf, stackOn, type EchoHandle } from '../helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(300_000)

/** Jobs whose text begins with "slow" wait until the gate opens; `running` has the texts of running jobs. */
function gatedHandler() {
  const gate = createLatch()
  const running = new Set<string>()
  const order: string[] = []
  const handle: EchoHandle = async ({ text }, { attempt }) => {
    running.add(text)
    order.push(text)
    if (text.startsWith('slow')) await gate.opened
    running.delete(text)
    return { text, attempt }
  }
  return { handle, running, order, open: gate.open }
}

const ask = (queues: QueueClient, lane: string, text: string, signal?: AbortSignal) =>
  queues.request(echo, payloadOf(text), {
    lane,
    deadlineMs: 60_000,
    ...(signal === undefined ? {} : { signal })
  })
const askMany = (queues: QueueClient, lane: string, count: number, from = 0) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => await ask(queues, lane, `slow ${lane}${from + i}`))
  )

t.test(
  'a lane with many long jobs gets three quarters of the slots, and another lane is served at once',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const { handle, running, open } = gatedHandler()
    await worker(handle, { concurrency: 8 })
    const queues = client()
    const greedy = askMany(queues, 'a', 40)

    await poll(async () => running.size === 6, { what: 'three quarters at work' })
    for (let i = 0; i < 20; i++) t.equal((await ask(queues, 'b', `b${i}`)).text, `b${i}`)

    t.equal(running.size, 6, 'no more of them than before')
    await poll(async () => (await queues.counts(echo)).waiting === 34, {
      what: 'those held back counted as waiting'
    })
    open()
    t.equal((await greedy).length, 40)
    await poll(async () => (await queues.counts(echo)).waiting === 0, { what: 'nothing held back' })
  }
)

t.test('brief jobs of a lane may use every slot, and a job of another lane is next', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const { handle, running, order, open } = gatedHandler()
  await worker(handle, { concurrency: 4 })
  const queues = client()
  // The share is known once another job has completed.
  await ask(queues, 'x', 'x')
  const brief = Promise.all(
    Array.from(
      { length: 20 },
      async (_, i) =>
        await queues.request(echo, payloadOf(`slow a${i}`), { lane: 'a', isBrief: true, deadlineMs: 60_000 })
    )
  )

  await poll(async () => running.size === 4, { what: 'all places taken' })
  await poll(async () => (await queues.counts(echo)).waiting === 16, {
    what: 'twice the places in the queue, the rest held back'
  })
  const other = ask(queues, 'b', 'b')
  await poll(async () => (await queues.counts(echo)).waiting === 17, { what: 'the other job waiting' })
  open()
  await other
  t.equal((await brief).length, 20)
  t.equal(order.indexOf('b'), 5, 'after the first job and the four that ran')
})

t.test('two gateways together give a lane no more slots than one alone', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const { handle, running, open } = gatedHandler()
  await worker(handle, { concurrency: 8 })
  const [first, second] = [client(), client()]
  const greedy = Promise.all([askMany(first, 'a', 30), askMany(second, 'a', 30, 30)])

  await poll(async () => running.size >= 6, { what: 'the lane at work' })
  await sleep(500)
  // Each gateway admits a lane's only job without asking.
  t.ok(running.size <= 7, `${running.size} at work`)
  t.equal((await ask(second, 'b', 'b')).text, 'b')
  open()
  t.equal((await greedy).flat().length, 60)
})

t.test('lanes take turns, in whatever order they arrived', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const { handle, running, order, open } = gatedHandler()
  await worker(handle, { concurrency: 2 })
  const queues = client()
  const blockers = Promise.all([ask(queues, 'x', 'slow x'), ask(queues, 'y', 'slow y')])
  await poll(async () => running.size === 2, { what: 'all places taken' })

  const others = Promise.all([
    ...Array.from({ length: 10 }, async (_, i) => await ask(queues, 'a', `a${i}`)),
    ...Array.from({ length: 3 }, async (_, i) => await ask(queues, 'b', `b${i}`))
  ])
  await poll(async () => (await queues.counts(echo)).waiting === 13, { what: 'all waiting' })
  open()
  await Promise.all([blockers, others])

  t.ok(order.indexOf('b2') < order.indexOf('a8'), `b is not behind all of a: ${order.join(' ')}`)
})

t.test('a request that is abandoned while it is held back leaves nothing', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const { handle, running, order, open } = gatedHandler()
  await worker(handle, { concurrency: 4 })
  // Before the worker has announced its slots, a client uses an estimate.
  const inspector = new Redis(redis.url)
  t.teardown(() => inspector.disconnect())
  await poll(async () => (await inspector.zcard(slotsKey(prefix, 'echo'))) === 1, {
    what: 'the places of the worker'
  })
  const queues = client()
  const greedy = askMany(queues, 'a', 3)
  await poll(async () => running.size === 3, { what: 'the lane is full' })
  const leaving = new AbortController()
  const held = Array.from({ length: 5 }, async (_, i) => await ask(queues, 'a', `left ${i}`, leaving.signal))
  await poll(async () => (await queues.counts(echo)).waiting === 5, { what: 'held back' })

  leaving.abort()

  for (const outcome of held) await t.rejects(outcome, { code: 'CANCELLED' })
  await poll(async () => (await queues.counts(echo)).waiting === 0, { what: 'forgotten' })
  open()
  await greedy
  t.strictSame(
    order.filter((text) => text.startsWith('left')),
    [],
    'no worker saw them'
  )
  await poll(async () => (await inspector.zcard(laneKey(prefix, 'echo', 'a'))) === 0, {
    what: 'the lane is empty'
  })
})

t.test('the jobs of a dead gateway stop counting after their lease', async (t) => {
  const connection = new Redis(redis.url)
  t.teardown(() => connection.disconnect())
  const leases = createLeases(connection)
  await leases.note('dead', ['1', '2'], 60)

  t.equal(await leases.acquire('dead', '3', 2), null)
  await sleep(80)

  t.equal(await leases.acquire('dead', '3', 2), 1)
  t.strictSame(await leases.members('dead'), ['3'])
})

t.test(
  'workers with a single slot reserve none: twice the workers do twice the work of one lane',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const { handle, running, open } = gatedHandler()
    for (let i = 0; i < 3; i++) await worker(handle, { concurrency: 1 })
    const greedy = askMany(client(), 'a', 10)

    await poll(async () => running.size === 3, { what: 'all three at work' })
    open()
    await greedy
  }
)

t.test('a worker that joins gives a lane more slots, and one that leaves fewer', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const { handle, running, open } = gatedHandler()
  await worker(handle, { concurrency: 4 })
  const inspector = new Redis(redis.url)
  t.teardown(() => inspector.disconnect())
  // A gateway that does not know the slots yet takes more.
  await poll(async () => (await inspector.zcard(slotsKey(prefix, 'echo'))) === 1, {
    what: 'the places of the worker'
  })
  const queues = client()
  const greedy = askMany(queues, 'a', 20)
  await poll(async () => running.size === 3, { what: 'three of four places' })

  await worker(handle, { concurrency: 4 })

  await poll(async () => running.size === 6, { what: 'six of eight places' })
  open()
  await greedy
})
