import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { startEndpoints, type Endpoints, type Manner } from '../harness/endpoints.js'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import { quantile } from '../harness/table.js'

/** Events per second of all projects together. */
const PER_SECOND = 200
const TICK_MS = 50
/** The number of events, out of ten, for the good endpoint. */
const GOOD_OF_TEN = 2
/** The good endpoint's p95 may be this many times its value alone. */
const FACTOR = 2
/**
 * The quick profile has few samples, and its baseline may come from a quieter moment. A hanging endpoint
 * holds what it gets for ten seconds, so that a delay by bad endpoints is far longer than this.
 */
const SLACK = { quick: { factor: 2, ms: 2_000 }, full: { factor: 1, ms: 0 } }
const ARRIVE_WITHIN_MS = 120_000
/** Each bad endpoint gets one of them, so that an event goes to some of the endpoints of its project. */
const BAD_TYPES = ['file.deleted', 'file.rejected', 'project.quota.warning'] as const

interface Neighbours {
  name: string
  /** In the good endpoint's project, or in that many projects of one other token. */
  projects: 'same' | number
  manners: readonly Manner[]
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

const cases: readonly Neighbours[] = [
  { name: 'one that hangs and one that fails, same project', projects: 'same', manners: ['hangs', 'fails'] },
  { name: 'one that hangs and one that fails, other project', projects: 1, manners: ['hangs', 'fails'] },
  {
    name: '40 of one hostile token',
    projects: 3,
    manners: times(20, ['hangs', 'fails'] as const).flat()
  },
  {
    name: 'slow, trickling, endless body, 1 MB of headers',
    projects: 1,
    manners: ['slow', 'trickles', 'endless', 'headers']
  },
  {
    name: '57 of one token that answer 204 after 5 s',
    projects: 3,
    manners: times(57, 'very slow' as const)
  }
]

export const fairDeliveries: Row = {
  name: 'fair-deliveries: endpoints that hang, fail, and answer slowly, beside a good one',
  promises: ['P8', 'P20'],
  target: "the good one's p95 from event to arrival at most twice its own, 200 events/s, none missing",
  counts: { quick: 600, full: 6_000 },
  comparesTimes: true,
  run: async ({ rig, tally, after, count, profile, say }) => {
    const endpoints = await startEndpoints()
    after(endpoints.close)
    const good = await tenant(rig, 'deliveries-good', 1)
    await createWebhook(rig, good, 0, endpoints.urlOf('good'), 'file.created')
    // The first ones run cold code.
    await measure({ rig, endpoints, good, bad: good, count: 200 }, tally)
    for (const [at, neighbours] of cases.entries()) {
      const { name, projects, manners } = neighbours
      const bad = projects === 'same' ? good : await tenant(rig, `deliveries-bad-${at}`, projects)
      const given = { rig, endpoints, good, bad, count }
      const alone = await measure(given, tally)
      const kinds = [...new Set(manners)]
      const before = new Map(kinds.map((manner) => [manner, endpoints.hits(manner)]))
      const created: Array<() => Promise<void>> = []
      for (const [number, manner] of manners.entries()) {
        const type = BAD_TYPES[number % BAD_TYPES.length] ?? BAD_TYPES[0]
        created.push(await createWebhook(rig, bad, number, endpoints.urlOf(manner), type))
      }
      const beside = await measure(given, tally)
      const hits = kinds.map((manner) => endpoints.hits(manner) - (before.get(manner) ?? 0))
      for (const remove of created) await remove()

      tally.injected += manners.length
      tally.hit += hits.reduce((sum, hit) => sum + hit, 0)
      const [p95Alone, p95] = [quantile(alone, 0.95), quantile(beside, 0.95)]
      const limit = p95Alone * FACTOR * SLACK[profile].factor + SLACK[profile].ms
      const reached = kinds.map((manner, kind) => `${manner} ${hits[kind]} times`).join(', ')
      say(`${name}: reached ${reached}`)
      say(
        `  p50 ${ms(quantile(alone, 0.5))} alone, ${ms(quantile(beside, 0.5))} beside; p95 ${ms(p95Alone)} alone, ` +
          `${ms(p95)} beside of ${beside.length}, limit ${ms(limit)}`
      )
      tally.expect(p95 <= limit, `${name}: p95 is ${ms(p95)}, ${ms(p95Alone)} alone; ${ms(limit)} allowed`)
      for (const [kind, manner] of kinds.entries()) {
        tally.expect((hits[kind] ?? 0) > 0, `${name}: nothing was sent to the one that ${manner}`)
      }
    }
  }
}

interface Tenant {
  token: string
  projects: string[]
}

async function tenant(rig: Rig, name: string, count: number): Promise<Tenant> {
  const projects = Array.from({ length: count }, (_, at) => `${name}-${at}`)
  const flags = projects.flatMap((project) => ['--project', project])
  const { token } = await admin(rig.stack.dataDir, 'token', 'create', '--name', name, ...flags)
  return { token, projects }
}

interface Measured {
  rig: Rig
  endpoints: Endpoints
  good: Tenant
  /** The tenant whose projects get the other events, with or without endpoints. */
  bad: Tenant
  count: number
}

/**
 * Writes events as uploads would, at a steady rate and in many transactions. Resolves with the
 * milliseconds until each one arrived at the good endpoint.
 */
async function measure({ rig, endpoints, good, bad, count }: Measured, tally: Tally): Promise<number[]> {
  endpoints.takeDelays()
  const perTick = (PER_SECOND * TICK_MS) / 1_000
  const delays = new Map<string, number>()
  const collect = (): Map<string, number> => {
    for (const [id, delay] of endpoints.takeDelays()) if (!delays.has(id)) delays.set(id, delay)
    return delays
  }
  const expected = (count / 10) * GOOD_OF_TEN
  const startedAt = performance.now()
  for (let written = 0; written < count; written += perTick) {
    await sleep(startedAt + (written / PER_SECOND) * 1_000 - performance.now())
    const rows = Array.from({ length: perTick }, (_, at) => {
      const number = written + at
      if (number % 10 < GOOD_OF_TEN) return { type: 'file.created', project: good.projects[0] }
      return {
        type: BAD_TYPES[number % BAD_TYPES.length],
        project: bad.projects[Math.floor(number / BAD_TYPES.length) % bad.projects.length]
      }
    })
    await rig.sql(
      `INSERT INTO events (type, project_id, file_id, at, data)
      SELECT type, project, gen_random_uuid(), clock_timestamp(), jsonb_build_object('project_id', project)
      FROM unnest($1::text[], $2::text[]) given (type, project)`,
      [rows.map(({ type }) => type), rows.map(({ project }) => project)]
    )
  }
  tally.operations += count
  await poll(() => collect().size >= expected, { timeoutMs: ARRIVE_WITHIN_MS }).catch(() =>
    tally.violate(`${expected - delays.size} of ${expected} events did not arrive at the good endpoint`)
  )
  return [...delays.values()]
}

/** Resolves with a function that deletes it. */
async function createWebhook(
  { stack }: Rig,
  { token, projects }: Tenant,
  number: number,
  url: string,
  event: string
): Promise<() => Promise<void>> {
  const authorization = `Bearer ${token}`
  const created = await fetch(`${stack.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: projects[number % projects.length], url, events: [event] })
  })
  if (created.status !== 201) throw new Error(`creating a webhook answered ${created.status}`)
  const { webhook } = (await created.json()) as { webhook: { id: string } }
  return async () => {
    const { status } = await fetch(`${stack.baseUrl}/api/webhooks/${webhook.id}`, {
      method: 'DELETE',
      headers: { authorization }
    })
    if (status !== 200) throw new Error(`deleting a webhook answered ${status}`)
  }
}

const ms = (value: number): string => `${Math.round(value)} ms`
