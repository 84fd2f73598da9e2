import type { BlobStore } from '@filewright/blob-store'
import type { Database, UnknownTime } from '@filewright/db'
import { withoutRecord } from '@filewright/domain'
import type { Logger } from '@filewright/runtime'

export interface UnownedBlobsDeps {
  files: Pick<Database['files'], 'findOwners'>
  blobs: Pick<BlobStore, 'remove' | 'list'>
  /** Rejects unless the store belongs to this database right now. */
  verifyStore: () => Promise<void>
  /**
   * Records in the database that a sweep is running. Returns the periods that the database knows nothing
   * about.
   */
  noteSweep: () => Promise<UnknownTime[]>
  logger: Pick<Logger, 'warn'>
}

const BATCH = 200

/** A pass over millions of blobs takes longer than the pause that counts as an unknown period. */
const BATCHES_PER_NOTE = 50

/** Kept in memory at once; the rest is handled in the next pass. */
const MAX_PER_PASS = 10_000

/** A few crashed uploads leave fewer blobs than this. More than both limits means a larger problem. */
const MANY = 20
const MAX_SHARE = 0.1

/** The clocks of the store and the gateways may differ by this much. */
const CLOCKS_MS = 60_000

interface Found {
  unowned: string[]
  /**
   * Has no record either, but dates from a period that the database knows nothing about, as after a restore.
   */
  held: number
  total: number
}

/**
 * One pass over the store. Returns the number of removed blobs. Removes no blob from a period that the
 * database does not cover, and none if there are many, unless an operator commands it.
 */
export function createUnownedBlobsSweep(deps: UnownedBlobsDeps): (olderThan: Date) => Promise<number> {
  const { files, blobs, verifyStore, noteSweep, logger } = deps

  async function find(olderThan: Date): Promise<Found> {
    const found: Found = { unowned: [], held: 0, total: 0 }
    const unknownTimes = await noteSweep()
    const isUnknown = (at: Date): boolean =>
      unknownTimes.some(({ beganAt, endedAt }) => {
        return at.getTime() > beganAt.getTime() - CLOCKS_MS && at.getTime() < endedAt.getTime() + CLOCKS_MS
      })
    let batches = 0
    let batch = new Map<string, Date>()
    const look = async (): Promise<void> => {
      for (const key of await withoutRecord(files, [...batch.keys()])) {
        if (isUnknown(batch.get(key) ?? new Date(0))) found.held++
        else found.unowned.push(key)
      }
      batch = new Map()
      if (++batches % BATCHES_PER_NOTE === 0) await noteSweep()
    }
    for await (const { key, modifiedAt } of blobs.list()) {
      found.total++
      if (modifiedAt < olderThan) batch.set(key, modifiedAt)
      if (batch.size >= BATCH) await look()
      if (found.unowned.length >= MAX_PER_PASS) break
    }
    if (batch.size > 0) await look()
    return found
  }

  return async (olderThan) => {
    const { unowned, held, total } = await find(olderThan)
    const isTooMuch = unowned.length > MANY && unowned.length > total * MAX_SHARE
    if (held > 0 || isTooMuch) {
      logger.warn(
        { held: isTooMuch ? held + unowned.length : held, blobs: total },
        'blobs without a record are kept: look at them with the admin command reconcile'
      )
    }
    if (isTooMuch) return 0
    let removed = 0
    for (let from = 0; from < unowned.length; from += BATCH) {
      await verifyStore()
      // Check again: a database may be restored at any moment.
      const still = await withoutRecord(files, unowned.slice(from, from + BATCH))
      for (const key of still) if (await blobs.remove(key)) removed++
    }
    return removed
  }
}
