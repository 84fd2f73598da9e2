import { acquireOrCancel } from '../cancelled.js'
import { OutOfTime } from '../out-of-time.js'
import type { ScanMeter } from '../scan-meter.js'
import { Refusal, type RefusalReason } from './refusals.js'
import { RoomTooSmall, type Room } from './rooms.js'
import { createStopwatch } from './stopwatch.js'

/** A real package with an upload size of 50 MB unpacks to several hundred MB. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
/**
 * The ratio limit applies only above this size. Of 101 npm and Debian packages that unpack to more, none
 * exceeds 43 : 1. A ratio of 500 : 1 occurs only with zeros.
 */
const BOMB_BYTES = 16 * 1024 * 1024
const BOMB_RATIO = 500
export const MAX_ENTRIES = 100_000
/** A scan may hold this much without waiting for other scans. */
const FREELY_HELD_BYTES = 1024 * 1024
export const MAX_DEPTH = 16
/** Each of these levels has a thread with its own memory. */
const MAX_UNPACKERS = 4
const MAX_UNPACKERS_IN_SMALL_ROOM = 2

/** Shared by an archive and all archives nested in it. */
export interface Budget {
  /** Refuses an archive that declares too large an unpacked size, before it is unpacked. */
  expect: (sizeBytes: number) => void
  /** Adds to the unpacked size. */
  unpack: (sizeBytes: number) => void
  /** How many more bytes may be unpacked. */
  unpackableBytes: () => number
  countEntry: () => void
  /** How many more bytes may be held in memory. */
  availableBytes: () => number
  /** Runs work that will hold an unknown amount of memory, once other scans leave enough of it. */
  withRoom: (work: () => Promise<void>) => Promise<void>
  /** Runs the work while that much memory counts as in use. */
  hold: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** Like `hold`, one nesting level deeper. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** Runs the work with an unpacker thread. Only one scan has one at a time. */
  withUnpacker: (work: () => Promise<void>) => Promise<void>
  /** The memory limit of an unpacker thread. */
  unpackerBytes: () => number
  /** The remaining time for unpacking. */
  msLeft: () => number
  /** The error to throw when a limit of the room is exceeded. A larger room may exist. */
  limitError: (reason: RefusalReason) => Error
  /** The error to throw when the room's time has passed: not a refusal, even in the largest room. */
  timeError: () => Error
  /** The number of archives around the current one. */
  depth: () => number
}

export interface BudgetOptions {
  /** The size of the scanned file. */
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
  const limitError = (reason: RefusalReason): Error => (isSmall ? new RoomTooSmall() : new Refusal(reason))
  const timeError = (): Error => (isSmall ? new RoomTooSmall() : new OutOfTime('unpacking', room.maxMs))

  function expect(bytes: number): void {
    const totalBytes = unpackedBytes + bytes
    if (totalBytes <= maxUnpackedBytes) return
    throw new Refusal(totalBytes > MAX_UNPACKED_BYTES ? 'TooLarge' : 'Bomb')
  }

  function checkStay(): void {
    if (isSmall && stays > 0 && msLeft() <= 0) throw new RoomTooSmall()
  }

  /**
   * A scan that holds little memory leaves the room early: the rest of its work may take longer than others
   * should wait.
   */
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
    if (heldBytes + bytes > room.maxHeldBytes) throw limitError('NestedTooLarge')
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
    limitError,
    timeError,
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
        if (msLeft() <= 0) throw timeError()
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
