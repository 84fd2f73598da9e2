import { Refusal } from './refusals.js'
import { createTurn } from './turn.js'

/** A 50 MB upload of a real package unpacks to several hundred MB. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
/** Real data is packed to a hundredth at best. Above this many bytes, what was packed to less than a five-hundredth is zeros. */
const BOMB_BYTES = 100 * 1024 * 1024
const BOMB_RATIO = 500
const MAX_ENTRIES = 100_000
/** Nested archives held in memory at one time, all levels together. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** What a scan may hold beside others. Above it scans wait for one another, or as many as run at once would hold that many times the most. */
const FREELY_HELD_BYTES = 1024 * 1024
const largeHolder = createTurn()
const MAX_DEPTH = 16
/** Each of these levels has a thread with memory of its own. */
const MAX_UNPACKERS = 4
/** For all unpackers of a scan together, one after the other: clamd needs the rest of its time. */
const UNPACK_MS = 45_000

/** Shared by an archive and all that are nested in it. */
export interface Budget {
  /** Notes how much was unpacked, or says it unpacks to. */
  unpack: (sizeBytes: number) => void
  countEntry: () => void
  /** How much may still be held in memory. */
  availableBytes: () => number
  /** Waits until much may be held, where how much is not known yet. */
  waitForRoom: () => Promise<void>
  /** Runs the work with that much memory in use. */
  hold: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** The same, one level deeper. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** Runs the work with an unpacker thread, which only one scan has at a time. */
  withUnpacker: (work: () => Promise<void>) => Promise<void>
  /** What is left of the time for unpacking. */
  unpackMsLeft: () => number
  /** How many archives are around what is looked at now. */
  depth: () => number
  /** Lets others hold memory again. To be called at the end, however it came. */
  close: () => void
}

export function createBudget (sizeBytes: number, signal?: AbortSignal): Budget {
  let leave: (() => void) | undefined
  let unpackedBytes = 0
  let heldBytes = 0
  let entries = 0
  let depth = 0
  let unpackers = 0
  let unpackingSince = 0
  let unpackedMs = 0

  const unpackMsLeft = (): number => UNPACK_MS - unpackedMs - (unpackers === 0 ? 0 : performance.now() - unpackingSince)

  async function waitForRoom (): Promise<void> {
    leave ??= await largeHolder.take(signal)
  }

  async function hold (bytes: number, work: () => Promise<void>): Promise<void> {
    if (heldBytes + bytes > MAX_HELD_BYTES) throw new Refusal('NestedTooLarge')
    if (heldBytes + bytes > FREELY_HELD_BYTES) await waitForRoom()
    heldBytes += bytes
    try {
      await work()
    } finally {
      heldBytes -= bytes
    }
  }

  return {
    unpack: (bytes) => {
      unpackedBytes += bytes
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Refusal('TooLarge')
      if (unpackedBytes > BOMB_BYTES && unpackedBytes > sizeBytes * BOMB_RATIO) throw new Refusal('Bomb')
    },
    countEntry: () => {
      if (++entries > MAX_ENTRIES) throw new Refusal('TooManyEntries')
    },
    availableBytes: () => MAX_HELD_BYTES - heldBytes,
    waitForRoom,
    hold,
    depth: () => depth,
    unpackMsLeft,
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
      await waitForRoom()
      if (unpackMsLeft() <= 0) throw new Refusal('TimeLimit')
      if (unpackers++ === 0) unpackingSince = performance.now()
      try {
        await work()
      } finally {
        if (--unpackers === 0) unpackedMs += performance.now() - unpackingSince
      }
    },
    close: () => { leave?.() }
  }
}
