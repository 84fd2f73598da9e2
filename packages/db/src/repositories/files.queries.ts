import { Prisma } from '../client.js'
import type { FileRecord, ReadyFileRecord, StoredFileRecord } from '../records.js'
import { columnList } from './files.columns.js'

export interface NewFile {
  id: string
  blobKey: string
  tokenId: string | null
  leaseExpiresAt: Date
  /** The store that the bytes go to. If it is no longer the current one, nothing is inserted. */
  storeId?: string | null
  /** The move whose two stores will both have the bytes before the file is ready. */
  moveId?: string | null
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

/** An upload that was refused, with its project and name if its row has none yet. */
export interface RefusedUpload {
  projectId: string
  name: string
  /** As in the X-Rejection header: a code, a semicolon and a reason. */
  rejection: string
}

/** Absent properties stay unchanged. */
export interface FileChanges {
  name?: string
  folder?: string
}

export const columns = Prisma.raw(columnList)

type Row = Omit<FileRecord, 'state'> & { state: string }

/**
 * A stored row without these values violates the state machine. An error is better than a broken download.
 */
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
