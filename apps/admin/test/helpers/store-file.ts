import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import { createId } from '@filewright/runtime'

export interface SmallFile {
  project?: string
  name?: string
  content?: string
  folder?: string
}

/** Stores a small text file as an upload would. Returns its id. */
export async function storeFile(
  { files }: Pick<Database, 'files'>,
  blobs: BlobStore,
  { project = 'acme', name = 'notes.txt', content = 'hello\n', folder = '' }: SmallFile
): Promise<string> {
  const id = createId()
  const blobKey = blobKeyOf(id)
  const leaseExpiresAt = new Date(Date.now() + 60_000)
  await files.insertPending({ id, blobKey, tokenId: null, leaseExpiresAt })
  await blobs.write(blobKey, Readable.from([Buffer.from(content)]))
  await files.markScanning(id, {
    projectId: project,
    name,
    folder,
    description: null,
    sizeBytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
    type: 'text/plain',
    charset: null,
    kind: 'code',
    leaseExpiresAt
  })
  await files.publish(id, { engine: 'test/1', at: new Date() })
  return id
}
