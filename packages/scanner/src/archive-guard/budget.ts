import { Refusal } from './guard-result.js'

/** clamd's MaxScanSize: what it would not look at as a whole is not sent at all. */
export const MAX_UNPACKED_BYTES = 400 * 1024 * 1024
/** Nested archives held in memory at one time, all levels together. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Also clamd's MaxRecursion. */
const MAX_DEPTH = 16

/** Shared by an archive and all that are nested in it. */
export interface Budget {
  /** Notes how much was unpacked, or says it unpacks to. */
  unpack: (sizeBytes: number) => void
  /** How much may still be held in memory. */
  availableBytes: () => number
  /** Runs the work with that much memory in use. */
  hold: (heldBytes: number, work: () => Promise<void>) => Promise<void>
  /** The same, one level deeper. */
  descend: (heldBytes: number, work: () => Promise<void>) => Promise<void>
}

export function createBudget (): Budget {
  let unpackedBytes = 0
  let heldBytes = 0
  let depth = 0

  async function hold (bytes: number, work: () => Promise<void>): Promise<void> {
    if (heldBytes + bytes > MAX_HELD_BYTES) throw new Refusal('NestedTooLarge')
    heldBytes += bytes
    try {
      await work()
    } finally {
      heldBytes -= bytes
    }
  }

  return {
    unpack: (sizeBytes) => {
      unpackedBytes += sizeBytes
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Refusal('TooLarge')
    },
    availableBytes: () => MAX_HELD_BYTES - heldBytes,
    hold,
    descend: async (bytes, work) => {
      if (depth >= MAX_DEPTH) throw new Refusal('NestedTooDeep')
      depth++
      try {
        await hold(bytes, work)
      } finally {
        depth--
      }
    }
  }
}
