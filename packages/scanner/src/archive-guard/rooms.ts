import { createSemaphore, type Semaphore } from '@filewright/runtime'

/** Where archives are unpacked, by one scan of the process at a time. */
export interface Room {
  semaphore: Semaphore
  /** Whether there is no larger one. */
  isLast: boolean
  /** Nested archives held in memory at one time, all levels together. */
  maxHeldBytes: number
  /** Of one unpacker thread. */
  maxUnpackerBytes: number
  /**
   * How long a scan may stay. In the large room only the time of its unpackers counts, one after the other:
   * clamd needs the rest of its time.
   */
  maxMs: number
}

const MIB = 1024 * 1024

/**
 * Every scan begins here. Nearly all archives fit: what `xz`, `zstd`, `bzip2` and `7z` write by default needs
 * less memory, and takes a second. So a wait here is short.
 */
export const smallRoom: Room = {
  semaphore: createSemaphore({ permits: 1 }),
  isLast: false,
  maxHeldBytes: 8 * MIB,
  maxUnpackerBytes: 48 * MIB,
  maxMs: 3_000
}

/** Enough memory for `xz -9` and `7z -mx=9`, whose dictionaries have 64 MiB. */
export const largeRoom: Room = {
  semaphore: createSemaphore({ permits: 1 }),
  isLast: true,
  maxHeldBytes: 64 * MIB,
  maxUnpackerBytes: 160 * MIB,
  maxMs: 30_000
}

/** Thrown in the small room where the large one is needed; never leaves the guard. */
export class RoomTooSmall extends Error {
  constructor() {
    super('the archive needs the large room')
    this.name = 'RoomTooSmall'
  }
}
