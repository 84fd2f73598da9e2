import { Prisma } from '../client.js'
import type { FileRecord, ReadyFileRecord } from '../records.js'
import { columnList } from './files.columns.js'

export interface NewFile {
  id: string
  blobKey: string
  tokenId: string | null
  leaseExpiresAt: Date
}

export interface ScannedUpload {
  projectId: string
  name: string
  folder: string
  description: string | null
  sizeBytes: number
  sha256: string
  type: string
  kind: string
  charset: string | null
  leaseExpiresAt: Date
}

export const columns = Prisma.raw(columnList)

/** A row that is ready without these breaks the state machine: better a loud error than a broken download. */
export function asReady(row: Omit<FileRecord, 'state'> & { state: string }): ReadyFileRecord {
  const { projectId, sha256, type, kind, blobKey, scannedAt } = row
  if (
    row.state !== 'ready' ||
    projectId === null ||
    sha256 === null ||
    type === null ||
    kind === null ||
    blobKey === null ||
    scannedAt === null
  ) {
    throw new Error(`File ${row.id} is ${row.state} but incomplete`)
  }
  return { ...row, state: row.state, projectId, sha256, type, kind, blobKey, scannedAt }
}
