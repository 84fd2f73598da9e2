import { Prisma } from '../client.js'
import type { FileRecord, ReadyFileRecord, StoredFileRecord } from '../records.js'
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

/** An upload that was refused before its record had a project and a name. */
export interface RefusedUpload {
  projectId: string
  name: string
  /** As in the header X-Rejection: a code, a semicolon and a reason. */
  rejection: string
}

/** What is absent stays as it is. */
export interface FileChanges {
  name?: string
  folder?: string
}

export const columns = Prisma.raw(columnList)

type Row = Omit<FileRecord, 'state'> & { state: string }

/** A row that is stored without these breaks the state machine: better a loud error than a broken download. */
export function asStored(row: Row): StoredFileRecord {
  const { projectId, sha256, type, kind, blobKey, scannedAt } = row
  if (
    (row.state !== 'ready' && row.state !== 'trashed') ||
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

export function asReady(row: Row): ReadyFileRecord {
  const file = asStored(row)
  if (file.state !== 'ready') throw new Error(`File ${row.id} is ${row.state}, not ready`)
  return { ...file, state: file.state }
}
