import { Refusal } from './guard-result.js'
import { createTurn } from './turn.js'

/** clamd's MaxScanSize: what it would not look at as a whole is not sent at all. */
export const MAX_UNPACKED_BYTES = 400 * 1024 * 1024
/** Nested archives held in memory at one time, all levels together. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** What a scan may hold beside others. Above it scans wait for one another, or as many as run at once would hold that many times the most. */
const FREELY_HELD_BYTES = 1024 * 1024
const largeHolder = createTurn()
/** Also clamd's MaxRecursion. */
const MAX_DEPTH = 16

/** Memory whose need shows only while it is used. */
export interface Reservation {
  /** Waits until that much more may be held. */
  grow: (bytes: number) => Promise<void>
  release: () => void
}

/** Shared by an archive and all that are nested in it. */
export interface Budget {
  /** Notes how much was unpacked, or says it unpacks to. */
  unpack: (sizeBytes: number) => void
  /** How much may still be held in memory. */
  availableBytes: () => number
  /** Waits until much may be held, where how much is not known yet. */
  waitForRoom: () => Promise<void>
  /** Runs the work with that much memory in use. */
  hold: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** The same, one level deeper. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  reserve: () => Reservation
  /** Lets others hold memory again. To be called at the end, however it came. */
  close: () => void
}

export function createBudget (signal?: AbortSignal): Budget {
  let leave: (() => void) | undefined
  let unpackedBytes = 0
  let heldBytes = 0
  let depth = 0

  async function waitForRoom (): Promise<void> {
    leave ??= await largeHolder.take(signal)
  }

  function reserve (): Reservation {
    let reservedBytes = 0
    return {
      grow: async (bytes) => {
        if (heldBytes + bytes > MAX_HELD_BYTES) throw new Refusal('NestedTooLarge')
        if (heldBytes + bytes > FREELY_HELD_BYTES) await waitForRoom()
        heldBytes += bytes
        reservedBytes += bytes
      },
      release: () => {
        heldBytes -= reservedBytes
        reservedBytes = 0
      }
    }
  }

  async function hold (bytes: number, work: () => Promise<void>): Promise<void> {
    const reservation = reserve()
    await reservation.grow(bytes)
    try {
      await work()
    } finally {
      reservation.release()
    }
  }

  return {
    unpack: (sizeBytes) => {
      unpackedBytes += sizeBytes
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Refusal('TooLarge')
    },
    availableBytes: () => MAX_HELD_BYTES - heldBytes,
    waitForRoom,
    hold,
    reserve,
    descend: async (bytes, work) => {
      if (depth >= MAX_DEPTH) throw new Refusal('NestedTooDeep')
      depth++
      try {
        await hold(bytes, work)
      } finally {
        depth--
      }
    },
    close: () => { leave?.() }
  }
}
