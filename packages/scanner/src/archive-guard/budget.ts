import { acquireOrCancel } from '../cancelled.js'
import type { ScanMeter } from '../scan-meter.js'
import { Refusal, type RefusalReason } from './refusals.js'
import { RoomTooSmall, type Room } from './rooms.js'
import { createStopwatch } from './stopwatch.js'

/** A 50 MB upload of a real package unpacks to several hundred MB. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
/**
 * Real data is packed to a hundredth at best: of 101 packages of npm and Debian, none that unpacks to more
 * than this is packed to less than a 43rd. What was packed to less than a five-hundredth is zeros.
 */
const BOMB_BYTES = 16 * 1024 * 1024
const BOMB_RATIO = 500
export const MAX_ENTRIES = 100_000
/** What a scan may hold beside others. Above it scans wait for one another. */
const FREELY_HELD_BYTES = 1024 * 1024
export const MAX_DEPTH = 16
/** Each of these levels has a thread with memory of its own. */
const MAX_UNPACKERS = 4
const MAX_UNPACKERS_IN_SMALL_ROOM = 2

/** Shared by an archive and all that are nested in it. */
export interface Budget {
  /** Refuses what says that it unpacks to too much, before it is unpacked. */
  expect: (sizeBytes: number) => void
  /** Notes how much was unpacked. */
  unpack: (sizeBytes: number) => void
  /** How much may still be unpacked. */
  unpackableBytes: () => number
  countEntry: () => void
  /** How much may still be held in memory. */
  availableBytes: () => number
  /** Runs the work, which is going to hold memory, once much may be held: how much is not known yet. */
  withRoom: (work: () => Promise<void>) => Promise<void>
  /** Runs the work with that much memory in use. */
  hold: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** The same, one level deeper. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** Runs the work with an unpacker thread, which only one scan has at a time. */
  withUnpacker: (work: () => Promise<void>) => Promise<void>
  /** What an unpacker thread may use. */
  unpackerBytes: () => number
  /** What is left of the time for unpacking. */
  msLeft: () => number
  /** What to throw where a limit of the room is passed: there may be a larger one. */
  outgrown: (reason: RefusalReason) => Error
  /** How many archives are around what is looked at now. */
  depth: () => number
}

export interface BudgetOptions {
  /** Of the file that is scanned. */
  sizeBytes: number
  room: Room
  meter: ScanMeter
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

export function createBudget({ sizeBytes, room, meter, lane, signal }: BudgetOptions): Budget {
  const maxUnpackedBytes = Math.min(MAX_UNPACKED_BYTES, Math.max(BOMB_BYTES, sizeBytes * BOMB_RATIO))
  const isSmall = !room.isLast
  const stay = createStopwatch()
  const unpacking = createStopwatch()
  let unpackedBytes = 0
  let heldBytes = 0
  let entries = 0
  let depth = 0
  let unpackers = 0
  let stays = 0
  let leave = (): void => {}

  const msLeft = (): number => room.maxMs - (isSmall ? stay : unpacking).elapsedMs()
  const outgrown = (reason: RefusalReason): Error => (isSmall ? new RoomTooSmall() : new Refusal(reason))

  function expect(bytes: number): void {
    const totalBytes = unpackedBytes + bytes
    if (totalBytes <= maxUnpackedBytes) return
    throw new Refusal(totalBytes > MAX_UNPACKED_BYTES ? 'TooLarge' : 'Bomb')
  }

  function checkStay(): void {
    if (isSmall && stays > 0 && msLeft() <= 0) throw new RoomTooSmall()
  }

  /** A scan that holds little leaves again: the rest of its work may take longer than others should wait. */
  async function withRoom(work: () => Promise<void>): Promise<void> {
    if (stays++ === 0) {
      try {
        leave = await meter.wait(async () => await acquireOrCancel(room.semaphore, { lane, signal }))
      } catch (error) {
        stays--
        throw error
      }
      stay.start()
    }
    try {
      await work()
    } finally {
      if (--stays === 0) {
        stay.stop()
        leave()
      }
    }
  }

  async function hold(bytes: number, work: () => Promise<void>): Promise<void> {
    if (heldBytes + bytes > room.maxHeldBytes) throw outgrown('NestedTooLarge')
    checkStay()
    const holding = async (): Promise<void> => {
      heldBytes += bytes
      try {
        await work()
      } finally {
        heldBytes -= bytes
      }
    }
    await (heldBytes + bytes > FREELY_HELD_BYTES ? withRoom(holding) : holding())
  }

  return {
    expect,
    unpack: (bytes) => {
      meter.addUnpacked(bytes)
      expect(bytes)
      unpackedBytes += bytes
      checkStay()
    },
    unpackableBytes: () => maxUnpackedBytes - unpackedBytes,
    countEntry: () => {
      if (++entries > MAX_ENTRIES) throw new Refusal('TooManyEntries')
      checkStay()
    },
    availableBytes: () => room.maxHeldBytes - heldBytes,
    withRoom,
    hold,
    depth: () => depth,
    msLeft,
    outgrown,
    unpackerBytes: () => room.maxUnpackerBytes,
    descend: async (bytes, work) => {
      if (depth >= MAX_DEPTH) throw new Refusal('NestedTooDeep')
      depth++
      try {
        await hold(bytes, work)
      } finally {
        depth--
      }
    },
    withUnpacker: async (work) => {
      if (unpackers >= MAX_UNPACKERS) throw new Refusal('NestedTooDeep')
      if (isSmall && unpackers >= MAX_UNPACKERS_IN_SMALL_ROOM) throw new RoomTooSmall()
      await withRoom(async () => {
        if (msLeft() <= 0) throw outgrown('TimeLimit')
        if (unpackers++ === 0) unpacking.start()
        try {
          await work()
        } finally {
          if (--unpackers === 0) unpacking.stop()
        }
      })
    }
  }
}
