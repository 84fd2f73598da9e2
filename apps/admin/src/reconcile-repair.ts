import { withoutRecord } from '@filewright/domain'
import type { AdminAdapters } from './command.js'
import { assertOwnStore } from './own-store.js'
import type { Findings } from './reconcile-findings.js'

export interface Removed {
  blobs: number
  records: number
}

const BATCH = 200

/** Repairs only findings that have not changed since. */
export async function repair(adapters: AdminAdapters, { orphans, lost }: Findings): Promise<Removed> {
  const { files, trash } = adapters.database()
  const blobs = adapters.blobs()
  const removed: Removed = { blobs: 0, records: 0 }
  for (let from = 0; from < orphans.length; from += BATCH) {
    const keys = orphans.slice(from, from + BATCH)
    await assertOwnStore(adapters)
    for (const key of await withoutRecord(files, keys)) if (await blobs.remove(key)) removed.blobs++
  }
  for (let from = 0; from < lost.length; from += BATCH) {
    await assertOwnStore(adapters)
    for (const { id, blobKey } of lost.slice(from, from + BATCH)) {
      if ((await blobs.stat(blobKey)) !== null) continue
      const isMarked = (await files.markDeleting(id)) || (await trash.markDeleting(id))
      if (isMarked && (await files.remove(id))) removed.records++
    }
  }
  return removed
}
