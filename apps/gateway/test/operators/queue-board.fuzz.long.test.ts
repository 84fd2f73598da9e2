import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { inference, openQueueViews, scanFile, type QueueDefinition, type QueueViews } from '@filewright/queue'
import { createLogger } from '@filewright/runtime'
import { startRedisServer, testSeed } from '@filewright/testing'
import { buildBoardApp } from '../../src/operators/board-app.js'
import { isOffered } from '../../src/operators/board-routes.js'
import { asAdmin, sendRaw, startBoardServer, type RawAnswer } from './board-server.js'
import { variantsOf, type Variant, type VariantOptions } from './path-variants.js'

// Thousands of connections on a busy machine.
t.setTimeout(300_000)
const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
const logger = createLogger({ name: 'test', level: 'silent' })
const seed = testSeed(t)

const definitions = [scanFile, inference] as QueueDefinition[]
const views = await openQueueViews({ redisUrl: redis.url, prefix: 'board', logger, definitions })
t.teardown(async () => await views.close())

/** Half a day: nothing becomes due while the test runs. */
const LATER_MS = 43_200_000
const SECRET = 'canary-progress-5512'
const JOBS: Record<string, string> = { promote: 'delayed-1', delay: 'delayed-1' }

/** Data for every route to work on. */
async function fill({ queues }: QueueViews): Promise<void> {
  await redis.flush()
  for (const queue of queues) {
    const job = await queue.add('job', { secret: SECRET }, { jobId: 'waiting-1' })
    await job.updateProgress({ text: SECRET })
    await queue.add('job', { secret: SECRET }, { jobId: 'delayed-1', delay: LATER_MS })
    await queue.upsertJobScheduler('scheduler-1', { every: LATER_MS })
  }
}

/** A digest of everything in Redis: one bit of one job changes it. */
async function digest(): Promise<string> {
  const script =
    "local keys = redis.call('KEYS', '*') table.sort(keys) local d = '' " +
    "for _, key in ipairs(keys) do d = redis.sha1hex(d .. key .. redis.call('DUMP', key)) end return d"
  const reply = await redis.command(`EVAL "${script}" 0`)
  const found = /[0-9a-f]{40}/.exec(reply)?.[0]
  if (found === undefined) throw new Error(`no digest: ${reply}`)
  return found
}

interface Route {
  method: string
  pattern: string
  path: string
}

function bareBoard() {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath('/queues')
  createBullBoard({ queues: views.queues.map((queue) => new BullMQAdapter(queue)), serverAdapter })
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  return { app, plugin: serverAdapter.registerPlugin() }
}

/** Every route of Bull Board, from its own router. */
async function routesOf(): Promise<Route[]> {
  const { app, plugin } = bareBoard()
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const word = url.split('/').at(-1) ?? ''
    const path = url
      .replace(':queueName', 'scan')
      .replace(':jobId', JOBS[word] ?? 'waiting-1')
      .replace(':queueStatus', 'waiting')
      .replace(':schedulerId', 'scheduler-1')
      .replace('*', 'favicon.ico')
    const pattern = url.slice('/queues'.length) || '/'
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, pattern, path })
  })
  await app.register(plugin, { prefix: '/queues' })
  await app.ready()
  await app.close()
  return routes
}

/** A body with the properties of every route. */
const BODY = JSON.stringify({
  name: 'forged',
  data: { forged: true },
  options: {},
  jobData: { forged: true },
  force: true,
  runAt: Date.now() + 2 * LATER_MS,
  priority: 7,
  concurrency: 3,
  max: 5,
  duration: 1_000,
  every: LATER_MS / 2
})

async function send(port: number, { method, target, headers }: Variant): Promise<RawAnswer> {
  const host = `127.0.0.1:${port}`
  const all = {
    Host: host,
    Authorization: asAdmin,
    Origin: `http://${host}`,
    'Content-Type': 'application/json',
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return await sendRaw(port, [`${method} ${target} HTTP/1.1`, ...lines].join('\r\n'), BODY)
}

const AT_ONCE = 20

interface Attack {
  /** Groups of requests that changed Redis. */
  changed: string[][]
  /** Requests whose response contained masked data. */
  shown: string[]
  statuses: Map<number, number>
}

const nameOf = (variant: Variant): string => JSON.stringify(variant)

/** Sends all variants, several concurrently. */
async function attack(port: number, variants: Variant[]): Promise<Attack> {
  const changed: string[][] = []
  const shown: string[] = []
  const statuses = new Map<number, number>()
  let before = await digest()
  for (let i = 0; i < variants.length; i += AT_ONCE) {
    const group = variants.slice(i, i + AT_ONCE)
    await Promise.all(
      group.map(async (variant) => {
        const { status, text } = await send(port, variant)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (text.includes(SECRET)) shown.push(nameOf(variant))
      })
    )
    const after = await digest()
    if (after !== before) changed.push(group.map(nameOf))
    before = after
  }
  return { changed, shown, statuses }
}

const routes = await routesOf()
const writes = routes.filter(({ method }) => method !== 'GET')
const forbidden = writes.filter(({ method, pattern }) => !isOffered(method, pattern, true))
const allOf = (some: Route[], options: VariantOptions): Variant[] => {
  return some.flatMap(({ method, path }) => variantsOf(method, path, options))
}
let tried = 0

async function startFilled(t: Test, write: boolean): Promise<number> {
  const port = await startBoardServer(t, { redisUrl: redis.url, write })
  await fill(views)
  const first = await send(port, { method: 'GET', target: '/queues/api/queues' })
  t.equal(first.status, 200, 'the dashboard is open')
  return port
}

t.test('Bull Board has routes that create and change jobs, and the list covers them', async (t) => {
  t.ok(routes.length > 35, `${routes.length}`)
  const words = ['add', 'update-data', 'delay', 'priority', 'concurrency', 'obliterate', 'run', 'rate-limit']
  for (const word of words) {
    t.ok(
      forbidden.some(({ pattern }) => pattern.endsWith(`/${word}`)),
      word
    )
  }
  const readOnly = writes.filter(({ method, pattern }) => isOffered(method, pattern, false))
  t.strictSame(readOnly, [], 'none of them is for looking')
})

t.test('with writes allowed, no spelling of a route that is not offered changes Redis', async (t) => {
  const port = await startFilled(t, true)
  const variants = allOf(forbidden, { seed, sampled: 150 })
  tried += variants.length

  const { changed, shown, statuses } = await attack(port, variants)

  t.strictSame(changed, [])
  t.strictSame(shown, [])
  t.ok((statuses.get(403) ?? 0) >= forbidden.length, 'their plain forms are refused for what they are')
  t.comment(`${variants.length} variants`, Object.fromEntries(statuses))
})

t.test('read-only, no spelling of any route changes anything or shows masked data', async (t) => {
  const port = await startFilled(t, false)
  // A third of each route's variants: the previous pass has tried every spelling of the most important words.
  const plain = new Set(routes.map(({ path }) => path))
  const variants = allOf(routes, { seed: seed + 1, sampled: 20 }).filter(
    ({ target }, i) => i % 3 === 0 || plain.has(target)
  )
  tried += variants.length

  const { changed, shown, statuses } = await attack(port, variants)

  t.strictSame(changed, [])
  t.strictSame(shown, [])
  t.comment(`${variants.length} variants`, Object.fromEntries(statuses))
})

t.test('the route list is sufficient without the path check before it', async (t) => {
  await fill(views)
  const app = await buildBoardApp({ queues: views.queues, basePath: '/queues', write: true })
  t.teardown(async () => await app.close())
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const variants = allOf(forbidden, { seed: seed + 2, sampled: 150 }).filter((_variant, i) => i % 3 === 0)
  tried += variants.length

  const { changed, shown, statuses } = await attack(port, variants)

  t.strictSame(changed, [])
  t.strictSame(shown, [])
  t.ok((statuses.get(403) ?? 0) > 100, `${statuses.get(403) ?? 0} had been decoded to what they stand for`)
  t.comment(`${variants.length} variants`, Object.fromEntries(statuses))
})

t.test('at least 5,000 variants were tried', async (t) => {
  t.ok(tried >= 5_000, `${tried}`)
})

t.test('the offered routes work, so a change would have been seen', async (t) => {
  const port = await startFilled(t, true)
  for (const action of ['pause', 'resume', 'delayed-1/promote', 'waiting-1/clean']) {
    const target = `/queues/api/queues/scan/${action}`
    const before = await digest()
    const { status } = await send(port, { method: 'PUT', target })
    t.ok(status === 200 || status === 204, `${target}: ${status}`)
    t.not(await digest(), before, target)
  }
})

t.test('the same spellings create and change jobs when Bull Board is not guarded', async (t) => {
  await fill(views)
  const { app, plugin } = bareBoard()
  t.teardown(async () => await app.close())
  await app.register(plugin, { prefix: '/queues' })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const add = forbidden.filter(({ pattern }) => pattern.endsWith('/add'))
  const variants = allOf(add, { seed, sampled: 150 }).filter(({ target }) => target.includes('%'))

  const { changed, statuses } = await attack(port, variants)

  t.ok(changed.length > 0)
  t.ok((statuses.get(200) ?? 0) > 20, `${statuses.get(200) ?? 0} encoded spellings were taken`)
})
