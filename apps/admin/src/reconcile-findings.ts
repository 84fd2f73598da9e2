import type { StoredFileRecord } from '@filewright/db'
import { withoutRecord } from '@filewright/domain'
import type { AdminAdapters } from './command.js'

export interface FoundFile {
  id: string
  projectId: string
  name: string
  blobKey: string
}

export interface Findings {
  records: number
  blobs: number
  /** Keys of blobs without a record, too old to belong to a running upload. */
  orphans: string[]
  /** Stored files whose blob is missing, also in the trash. */
  lost: FoundFile[]
  /** Stored files whose blob has a different size. */
  damaged: FoundFile[]
}

const BATCH = 500
/** Concurrent requests to the store: a bucket takes about 30 ms for each. */
const PARALLEL = 32

export async function findings(
  adapters: AdminAdapters,
  { olderThan }: { olderThan: Date }
): Promise<Findings> {
  const found: Findings = { records: 0, blobs: 0, orphans: [], lost: [], damaged: [] }
  await checkBlobs(adapters, olderThan, found)
  await checkRecords(adapters, found)
  return found
}

async function checkBlobs(adapters: AdminAdapters, olderThan: Date, found: Findings): Promise<void> {
  const { files } = adapters.database()
  let keys: string[] = []
  const look = async (): Promise<void> => {
    found.orphans.push(...(await withoutRecord(files, keys)))
    keys = []
  }
  for await (const { key, modifiedAt } of adapters.blobs().list()) {
    found.blobs++
    // The grace period allows for the store's clock.
    if (modifiedAt < olderThan) keys.push(key)
    if (keys.length >= BATCH) await look()
  }
  if (keys.length > 0) await look()
}

async function checkRecords(adapters: AdminAdapters, found: Findings): Promise<void> {
  const { files } = adapters.database()
  for (let after = ''; ; ) {
    const page = await files.pageStored({ after, limit: BATCH })
    for (let from = 0; from < page.length; from += PARALLEL) {
      await Promise.all(
        page.slice(from, from + PARALLEL).map(async (file) => await checkRecord(adapters, file, found))
      )
    }
    found.records += page.length
    if (page.length < BATCH) return
    after = page.at(-1)?.id ?? ''
  }
}

async function checkRecord(adapters: AdminAdapters, file: StoredFileRecord, found: Findings): Promise<void> {
  const { id, projectId, name, blobKey, sizeBytes } = file
  const blob = await adapters.blobs().stat(blobKey)
  if (blob?.sizeBytes === sizeBytes) return
  // Deleted since its record was read? Then nothing is wrong.
  if ((await adapters.database().files.findStored(id)) === null) return
  const list = blob === null ? found.lost : found.damaged
  list.push({ id, projectId, name, blobKey })
}
