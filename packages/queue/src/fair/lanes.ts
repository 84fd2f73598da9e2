import { createFairLine, createId } from '@filewright/runtime'
import type { ProducerLink } from '../producer-link.js'
import { heldKey, laneKey, slotsKey } from '../keys.js'
import { createLaneCap } from './lane-cap.js'
import { createLeases, LEASE_MS } from './leases.js'

const RENEW_MS = LEASE_MS / 3
/**
 * A lane's next job gets the slot of the previous one without asking Redis, but other gateways need slots,
 * too.
 */
const HANDED_ON_MS = 2_000
/** Held-back jobs are recorded for operators and autoscalers, who need them no sooner. */
const NOTE_HELD_MS = 100

export interface Pass {
  /**
   * Resolves with the job's position in its lane when it may enter the queue. Rejects if Redis is down at the
   * start.
   */
  granted: Promise<number>
  /**
   * Whether it had to wait: such a request is in progress and survives a Redis outage, like one whose job is
   * in the queue.
   */
  wasHeld: () => boolean
  /** The job has ended or was abandoned. */
  leave: () => void
}

/**
 * Decides when a job goes into the queue. A lane (a token) has at most three quarters of the workers'
 * slots. Its further jobs wait here, in the gateway, where lanes take turns. So one lane never has every
 * worker while another waits, and a free worker takes any job in the queue.
 *
 * Brief jobs of a lane form a separate lane. They cannot occupy a worker for long, so they may use every
 * slot, and only this gateway counts them: asking Redis would cost as much as the job.
 *
 * If a gateway dies, no client waits for the jobs that it held back.
 */
export interface Lanes {
  enter: (lane: string, options?: EnterOptions) => Pass
  /** Jobs held back here. */
  held: () => number
  /**
   * Call a few times a second while anyone waits: renews leases, and checks whether other gateways freed
   * slots.
   */
  tick: () => void
}

export interface EnterOptions {
  /** The job takes milliseconds. */
  isBrief?: boolean
}

/** The right to one of a lane's slots. */
interface Place {
  /** In the lane's Redis set. */
  id: string
  number: number
  takenAt: number
}

interface Entry {
  id: string
  lane: string
  isBrief: boolean
  wasHeld: boolean
  place: Place | null
  hasLeft: boolean
  grant: (place: number) => void
  fail: (error: unknown) => void
}

export function createLanes({
  name,
  prefix,
  link
}: {
  name: string
  prefix: string
  link: ProducerLink
}): Lanes {
  const leases = createLeases(link.redis)
  const line = createFairLine<Entry>()
  /** Entries in the queue or about to be, by lane. */
  const inside = new Map<string, Set<Entry>>()
  /** Lanes that other gateways have filled, or for which Redis could not be asked: until the next tick. */
  const fullElsewhere = new Set<string>()
  const cap = createLaneCap(
    async () => await link.run(async () => await leases.members(slotsKey(prefix, name)))
  )
  const keyOf = (lane: string): string => laneKey(prefix, name, lane)
  const holdKey = heldKey(prefix, name)
  /** Held-back entries recorded in Redis. */
  let noted = new Set<string>()
  let noting: NodeJS.Timeout | undefined
  let renewedAt = performance.now()
  void cap.refresh().then(dispatch)

  function dispatchByNewCap(): void {
    dispatch()
    if (cap.isStale()) void cap.refresh().then(dispatch)
  }

  /**
   * The Redis sets are only counts. If they are lost, a lane is wider until the next tick, which is no reason
   * to fail a request.
   */
  function inBackground(command: () => Promise<void>): void {
    if (link.isUp()) {
      command().catch(() => {
        renewedAt = -Infinity
      })
    } else renewedAt = -Infinity
  }

  function moveIn(entry: Entry): number {
    const entries = inside.get(entry.lane) ?? new Set()
    inside.set(entry.lane, entries.add(entry))
    return entries.size
  }

  function moveOut(entry: Entry): boolean {
    const entries = inside.get(entry.lane)
    if (entries?.delete(entry) !== true) return false
    if (entries.size === 0) inside.delete(entry.lane)
    return true
  }

  function hold(entry: Entry): void {
    entry.wasHeld = true
    noteHeldSoon()
  }

  function noteHeldSoon(): void {
    noting ??= setTimeout(noteHeld, NOTE_HELD_MS).unref()
  }

  function noteHeld(): void {
    noting = undefined
    const held = new Set(line.items().map(({ id }) => id))
    const added = [...held].filter((id) => !noted.has(id))
    const gone = [...noted].filter((id) => !held.has(id))
    noted = held
    if (added.length > 0) {
      inBackground(async () => await leases.note(holdKey, added))
    }
    if (gone.length > 0) {
      inBackground(async () => await leases.release(holdKey, ...gone))
    }
  }

  function dispatch(): void {
    for (;;) {
      const entry = line.take(({ isBrief }, lane) => !fullElsewhere.has(lane) && hasRoom(lane, isBrief))
      if (entry === undefined) return
      if (entry.isBrief) letIn(entry, moveIn(entry))
      else void admit(entry)
    }
  }

  function hasRoom(lane: string, isBrief: boolean): boolean {
    return (inside.get(lane)?.size ?? 0) < (isBrief ? cap.twiceSlots() : cap.share())
  }

  async function admit(entry: Entry): Promise<void> {
    const { lane, id } = entry
    // A lane's only job here enters without asking: most requests are like this, and should not pay for a
    // round trip.
    if (moveIn(entry) === 1 && link.isUp()) {
      inBackground(async () => await leases.note(keyOf(lane), [id]))
      return givePlace(entry, { id, number: 1, takenAt: performance.now() })
    }
    try {
      const number = await link.run(async () => await leases.acquire(keyOf(lane), id, cap.share()))
      if (entry.hasLeft) {
        return inBackground(async () => await leases.release(keyOf(lane), id))
      }
      if (number !== null) return givePlace(entry, { id, number, takenAt: performance.now() })
      waitForTick(entry)
    } catch (error) {
      if (entry.hasLeft) return
      if (entry.wasHeld) return waitForTick(entry)
      moveOut(entry)
      entry.fail(error)
      dispatch()
    }
  }

  function waitForTick(entry: Entry): void {
    moveOut(entry)
    fullElsewhere.add(entry.lane)
    line.putBack(entry.lane, entry)
    hold(entry)
  }

  function letIn(entry: Entry, number: number): void {
    if (noted.has(entry.id)) noteHeldSoon()
    entry.grant(number)
  }

  function givePlace(entry: Entry, place: Place): void {
    entry.place = place
    letIn(entry, place.number)
  }

  function leave(entry: Entry): void {
    if (entry.hasLeft) return
    entry.hasLeft = true
    line.remove(entry.lane, entry)
    if (noted.has(entry.id)) noteHeldSoon()
    if (!moveOut(entry)) return
    fullElsewhere.delete(entry.lane)
    if (!entry.isBrief && !passSlotOn(entry)) {
      const id = entry.place?.id ?? entry.id
      inBackground(async () => await leases.release(keyOf(entry.lane), id))
    }
    dispatch()
  }

  function passSlotOn({ lane, place }: Entry): boolean {
    if (place === null || performance.now() - place.takenAt > HANDED_ON_MS || !link.isUp()) return false
    if (!hasRoom(lane, false)) return false
    const next = line.take((_entry, each) => each === lane)
    if (next === undefined) return false
    moveIn(next)
    givePlace(next, place)
    return true
  }

  function renew(): void {
    const held = line.items().map(({ id }) => id)
    for (const [lane, entries] of inside) {
      const places = [...entries].flatMap(({ place }) => (place === null ? [] : [place.id]))
      if (places.length > 0) {
        inBackground(async () => await leases.note(keyOf(lane), places))
      }
    }
    if (held.length > 0) {
      inBackground(async () => await leases.note(holdKey, held))
    }
  }

  return {
    enter: (token, { isBrief = false } = {}) => {
      const lane = isBrief ? `${token} brief` : token
      let grant: Entry['grant'] = () => {}
      let fail: Entry['fail'] = () => {}
      const granted = new Promise<number>((resolve, reject) => {
        grant = resolve
        fail = reject
      })
      const entry: Entry = {
        id: createId(),
        lane,
        isBrief,
        wasHeld: false,
        place: null,
        hasLeft: false,
        grant,
        fail
      }
      line.push(lane, entry)
      dispatchByNewCap()
      // First come, first served within a lane: if any job of it still waits, so does this one.
      if (line.sizeOf(lane) > 0) hold(entry)
      return {
        granted,
        wasHeld: () => entry.wasHeld,
        leave: () => leave(entry)
      }
    },
    held: () => line.size(),
    tick: () => {
      fullElsewhere.clear()
      dispatchByNewCap()
      if (performance.now() - renewedAt < RENEW_MS || !link.isUp()) return
      renewedAt = performance.now()
      renew()
    }
  }
}
