import type { FileInfo, FileSummary, UploadedFile } from '@filewright/contracts'
import type { ReadyFileRecord } from '@filewright/db'
import type { Addresses } from '../downloads/addresses.js'

/** Where records become the specification's snake_case, and nowhere else. */
export interface FilesPresenter {
  summary: (file: ReadyFileRecord) => FileSummary
  uploaded: (file: ReadyFileRecord) => UploadedFile
  info: (file: ReadyFileRecord) => FileInfo
}

export function createFilesPresenter (addresses: Addresses): FilesPresenter {
  const summary = (file: ReadyFileRecord): FileSummary => ({
    id: file.id,
    name: file.name,
    size: file.sizeBytes,
    type: file.type,
    created_at: file.createdAt.toISOString()
  })
  const uploaded = (file: ReadyFileRecord): UploadedFile => ({ ...summary(file), url: addresses.cdn(file.id) })
  return {
    summary,
    uploaded,
    info: (file) => ({ ...uploaded(file), download_url: addresses.download(file.id) })
  }
}
