import { createSemaphore, type Semaphore } from '@filewright/runtime'

/** Limits for unpacking archives. One scan of the process uses a room at a time. */
export interface Room {
  semaphore: Semaphore
  /** Whether no larger room exists. */
  isLast: boolean
  /** Memory for nested archives, all levels together. */
  maxHeldBytes: number
  /** Memory of one unpacker thread. */
  maxUnpackerBytes: number
  /**
   * How long a scan may use the room. In the large room only the total time of its unpackers counts: clamd
   * uses the rest.
   */
  maxMs: number
}

const MIB = 1024 * 1024

/**
 * Every scan begins here. Nearly all archives fit: `xz`, `zstd`, `bzip2` and `7z` with default options need
 * less memory, and take about a second. So a wait for this room is short.
 */
export const smallRoom: Room = {
  semaphore: createSemaphore({ permits: 1 }),
  isLast: false,
  maxHeldBytes: 8 * MIB,
  maxUnpackerBytes: 48 * MIB,
  maxMs: 3_000
}

/** Enough memory for `xz -9` and `7z -mx=9`, which use dictionaries of 64 MiB. */
export const largeRoom: Room = {
  semaphore: createSemaphore({ permits: 1 }),
  isLast: true,
  maxHeldBytes: 64 * MIB,
  maxUnpackerBytes: 160 * MIB,
  maxMs: 30_000
}

/** Thrown in the small room if a scan needs the large one. Never leaves the guard. */
export class RoomTooSmall extends Error {
  constructor() {
    super('the archive needs the large room')
    this.name = 'RoomTooSmall'
  }
}
