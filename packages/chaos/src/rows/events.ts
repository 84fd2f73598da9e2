import { setTimeout as sleep } from 'node:timers/promises'
import { eicar } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import {
  compareWithClients,
  compareWithFiles,
  compareWithReceived,
  type Acknowledged,
  type Step,
  type WrittenEvent
} from '../harness/event-log.js'
import { startEventReceiver, type EventReceiver } from '../harness/event-receiver.js'
import { startLanes } from '../harness/lanes.js'
import type { Random } from '../harness/random.js'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import type { Subject } from '../harness/subject.js'

const LANES = 6
const KILLS = { quick: 3, full: 100 }
const PROJECT = 'events'
/** The pause between two files of a client once there are enough changes. */
const SLOWLY_MS = 1_000
/** Longer than an attempt's deadline and the pauses after it. */
const ARRIVE_WITHIN_MS = 180_000

type Victim = 'gateway' | 'delivery-worker-1' | 'redis'
/** A kill at a failpoint, or while the receiver has not yet responded to a delivery. */
type Fault = { victim: Victim; point: string } | { victim: Victim; how: 'kill' | 'wipe' }

const FAULTS: Record<Victim, readonly Fault[]> = {
  gateway: [
    ...[
      'relay.fanned-out',
      'relay.claimed',
      'relay.attempted',
      'relay.recorded',
      'upload.published',
      'discard.withdrawn',
      'delete.trashed',
      'restore.done',
      'erase.row-marked'
    ].map((point) => ({ victim: 'gateway' as const, point })),
    { victim: 'gateway', how: 'kill' }
  ],
  'delivery-worker-1': [
    { victim: 'delivery-worker-1', point: 'delivery.sent' },
    { victim: 'delivery-worker-1', how: 'kill' }
  ],
  redis: [
    { victim: 'redis', how: 'kill' },
    { victim: 'redis', how: 'wipe' }
  ]
}

export const events: Row = {
  name: 'events: kill gateway, delivery worker and Redis, wipe Redis',
  promises: ['P13', 'P20'],
  target: '10,000 changes, 100 kills, every event arrives, in order, and none without its change',
  counts: { quick: 60, full: 10_000 },
  run: async ({ rig, tally, after, count, profile, random, say }) => {
    const receiver = await startEventReceiver()
    after(receiver.close)
    const webhookId = await createWebhook(rig, receiver)
    const clients = startClients(rig, random.fork('clients'), tally)
    const gap = Math.floor(count / (KILLS[profile] + 1))
    const draw = random.fork('faults')
    try {
      for (const fault of faultsOf(KILLS[profile], draw)) {
        await clients.until(clients.changes() + gap)
        await inject(fault, { rig, receiver, draw, tally })
      }
      await clients.until(count)
    } finally {
      await rig.redis.start()
      await clients.stop()
    }
    await rig.ready()
    const written = await eventsWhenDelivered(rig, receiver)
    say(`${receiver.events.size} of ${written.length} events arrived in ${receiver.arrivals()} deliveries`)
    tally.violations.push(
      ...receiver.faults,
      ...compareWithReceived(written, receiver.events),
      ...compareWithClients(written, clients.acknowledged(written)),
      ...compareWithFiles(
        written,
        await rig.sql('SELECT id, state FROM files WHERE project_id = $1', [PROJECT])
      )
    )
    await call(rig, 'DELETE', `/api/webhooks/${webhookId}`)
  }
}

/** Selects each victim equally often, and all its faults before one is repeated. */
function faultsOf(kills: number, draw: Random): Fault[] {
  const victims = Object.keys(FAULTS) as Victim[]
  const left: Record<Victim, Fault[]> = { gateway: [], 'delivery-worker-1': [], redis: [] }
  return Array.from({ length: Math.ceil(kills / victims.length) }, () => draw.shuffled(victims))
    .flat()
    .slice(0, kills)
    .map((victim) => {
      if (left[victim].length === 0) left[victim] = draw.shuffled(FAULTS[victim])
      return left[victim].pop() as Fault
    })
}

interface Injecting {
  rig: Rig
  receiver: EventReceiver
  draw: Random
  tally: Tally
}

async function inject(fault: Fault, { rig, receiver, draw, tally }: Injecting): Promise<void> {
  const { victim } = fault
  const pid = rig.stack.pid(victim)
  tally.injected++
  if ('point' in fault) {
    rig.failpoints.arm(fault.point, 'kill')
    await poll(() => rig.failpoints.left(fault.point) === 0, { what: fault.point, timeoutMs: 120_000 })
  } else {
    await receiver.duringNext(async () => {
      if (victim !== 'redis') process.kill(rig.stack.pid(victim) ?? 0, 'SIGKILL')
      else if (fault.how === 'wipe') await rig.redis.flush()
      else await rig.redis.kill()
    })
  }
  tally.hit++
  if (victim === 'redis') {
    await sleep(fault.victim === 'redis' && 'how' in fault && fault.how === 'kill' ? draw.below(2_000) : 0)
    await rig.redis.start()
  } else {
    await poll(() => ![pid, undefined].includes(rig.stack.pid(victim)), {
      what: `another ${victim}`,
      timeoutMs: 60_000
    })
  }
  if (victim === 'gateway') await expireClaims(rig)
  const before = receiver.events.size
  const startedAt = performance.now()
  await poll(() => receiver.events.size > before, {
    what: `an event after ${JSON.stringify(fault)}`,
    timeoutMs: ARRIVE_WITHIN_MS
  })
  tally.recoveryMs.push(performance.now() - startedAt)
}

/** Simulates the 45 seconds after which another gateway takes over what the dead one had claimed. */
async function expireClaims(rig: Rig): Promise<void> {
  await rig.sql('UPDATE webhook_deliveries SET next_attempt_at = now() WHERE claim IS NOT NULL')
}

async function createWebhook(rig: Rig, receiver: EventReceiver): Promise<string> {
  const { webhook } = await call(rig, 'POST', '/api/webhooks', {
    project_id: PROJECT,
    url: receiver.url,
    events: ['file.created', 'file.deleted', 'file.rejected', 'file.withdrawn']
  })
  receiver.verifyWith(webhook.secret)
  return webhook.id
}

async function call(rig: Rig, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(rig.stack.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${rig.stack.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return await response.json()
}

/**
 * The events in the order in which they were written, once all have arrived or none has arrived for a long
 * time.
 */
async function eventsWhenDelivered(rig: Rig, receiver: EventReceiver): Promise<WrittenEvent[]> {
  for (;;) {
    const written = await writtenEvents(rig)
    const isThere = ({ id }: WrittenEvent): boolean => receiver.events.has(id)
    const before = receiver.events.size
    const goesOn = await poll(() => written.every(isThere) || receiver.events.size > before, {
      timeoutMs: ARRIVE_WITHIN_MS,
      intervalMs: 500
    }).catch(() => false)
    if (!goesOn || written.every(isThere)) return written
  }
}

async function writtenEvents(rig: Rig): Promise<WrittenEvent[]> {
  const rows = await rig.sql<{ txid: string; id: string; type: string; file_id: string; data: any }>(
    'SELECT txid::text, id::text, type, file_id, data FROM events WHERE project_id = $1 ORDER BY events.id',
    [PROJECT]
  )
  return rows.map(({ txid, id, type, file_id: fileId, data }) => ({
    id: `evt_${BigInt(txid).toString(36)}_${BigInt(id).toString(36)}`,
    type,
    fileId,
    data
  }))
}

interface Clients {
  /** Acknowledged so far. */
  changes: () => number
  /**
   * Resolves after that many changes. Then the clients continue slowly, so that a fault hits some of them.
   */
  until: (changes: number) => Promise<void>
  acknowledged: (written: readonly WrittenEvent[]) => Acknowledged[]
  stop: () => Promise<void>
}

/** Clients that store, delete, restore and erase files, and store some that are refused, whatever happens. */
function startClients(rig: Rig, random: Random, tally: Tally): Clients {
  const subject = rig.subject({ onFault: tally.violate, mayBreak: () => true })
  const stored: Acknowledged[] = []
  const refused: string[] = []
  let enough = 0
  const changes = (): number => stored.reduce((sum, { steps }) => sum + steps.length, refused.length)
  const draws = Array.from({ length: LANES }, (_, lane) => random.fork(lane))

  async function refuse(): Promise<boolean> {
    const { status, name } = await subject.upload({ project: PROJECT, content: Buffer.from(eicar) })
    if (status === 400) refused.push(name)
    return status === 400
  }

  const lanes = startLanes(LANES, async (lane) => {
    const draw = draws[lane] as Random
    const isServed = draw.below(4) === 0 ? await refuse() : await live(subject, draw, stored)
    if (!isServed) await sleep(200)
    else if (changes() >= enough) await sleep(SLOWLY_MS)
  })

  return {
    changes,
    until: async (total) => {
      enough = total
      await poll(() => changes() >= enough, { what: `${total} changes`, timeoutMs: 600_000 })
    },
    acknowledged: (written) => {
      const idOf = new Map(written.map(({ data, fileId }) => [data['name'], fileId]))
      return [
        ...stored,
        ...refused.map((name) => ({
          fileId: idOf.get(name) ?? name,
          steps: ['rejected' as const],
          mayHaveOneMore: false
        }))
      ]
    },
    stop: async () => {
      await lanes.stop()
      tally.operations += changes()
    }
  }
}

/** Runs the life cycle of one file up to a random point. Returns false if a request failed. */
async function live(subject: Subject, draw: Random, stored: Acknowledged[]): Promise<boolean> {
  const { id } = await subject.upload({ project: PROJECT })
  if (id === undefined) return false
  const file: Acknowledged = { fileId: id, steps: ['created'], mayHaveOneMore: false }
  stored.push(file)
  const later: Array<readonly [Step, (id: string) => Promise<{ status: number }>]> = [
    ['trashed', subject.remove],
    ['restored', subject.restore],
    ['trashed', subject.remove],
    ['erased', subject.erase]
  ]
  for (const [step, act] of later) {
    if (draw.below(5) === 0) return true
    const { status } = await act(id)
    if (status !== 200) {
      file.mayHaveOneMore = true
      return false
    }
    file.steps.push(step)
  }
  return true
}
