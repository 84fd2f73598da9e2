import type { FileInfo, FileSummary, UploadedFile } from '@filewright/contracts'
import type { ReadyFileRecord } from '@filewright/db'
import type { Addresses } from '../downloads/addresses.js'

/** What a client learns of its upload. */
export type UploadReceipt = Pick<ReadyFileRecord, 'id' | 'name' | 'sizeBytes' | 'type' | 'createdAt'>

/** Where records become the specification's snake_case, and nowhere else. */
export interface FilesPresenter {
  summary: (file: ReadyFileRecord) => FileSummary
  uploaded: (file: UploadReceipt) => UploadedFile
  info: (file: ReadyFileRecord) => FileInfo
}

export function createFilesPresenter (addresses: Addresses): FilesPresenter {
  const summary = (file: UploadReceipt): FileSummary => ({
    id: file.id,
    name: file.name,
    size: file.sizeBytes,
    type: file.type,
    created_at: file.createdAt.toISOString()
  })
  const uploaded = (file: UploadReceipt): UploadedFile => ({ ...summary(file), url: addresses.cdn(file.id) })
  return {
    summary,
    uploaded,
    info: (file) => ({ ...uploaded(file), download_url: addresses.download(file.id) })
  }
}
