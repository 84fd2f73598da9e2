import {
  ListFilesQuery,
  ListTrashQuery,
  type DetailedFileInfo,
  type DetailedFileSummary,
  type FileInfo,
  type FileSummary,
  type TrashedFile,
  type UploadedFile
} from '@filewright/contracts'
import type { ReadyFileRecord, TrashedFileRecord } from '@filewright/db'
import type { Addresses } from './addresses.js'

/** The properties of an upload's response. */
export type UploadReceipt = Pick<ReadyFileRecord, 'id' | 'name' | 'sizeBytes' | 'type' | 'createdAt'>

/** The only place that maps records to the specification's snake_case. */
export interface FilesPresenter {
  summary: (file: ReadyFileRecord) => FileSummary
  uploaded: (file: UploadReceipt) => UploadedFile
  info: (file: ReadyFileRecord) => FileInfo
  detailedSummary: (file: ReadyFileRecord) => DetailedFileSummary
  detailedInfo: (file: ReadyFileRecord) => DetailedFileInfo
  /**
   * The value of a Link header: the same list, after the cursor.
   * @param query as the client sent it, already validated
   */
  linkToNext: (query: Record<string, string>, cursor: string) => string
  trashed: (file: TrashedFileRecord) => TrashedFile
  /** Like `linkToNext`, for the trash. */
  linkToNextTrash: (query: Record<string, string>, cursor: string) => string
}

const listParameters = Object.keys(ListFilesQuery.properties)
const trashParameters = Object.keys(ListTrashQuery.properties)
const DAY_MS = 86_400_000

/** The query of the next page: the client's own query, with the cursor. */
function nextQuery(names: string[], query: Record<string, string>, cursor: string): URLSearchParams {
  const next = new URLSearchParams()
  for (const name of names) {
    const value = name === 'after' ? cursor : query[name]
    if (value !== undefined) next.set(name, value)
  }
  return next
}

export function createFilesPresenter(
  addresses: Addresses,
  { trashDays }: { trashDays: number }
): FilesPresenter {
  const summary = (file: UploadReceipt): FileSummary => ({
    id: file.id,
    name: file.name,
    size: file.sizeBytes,
    type: file.type,
    created_at: file.createdAt.toISOString()
  })
  const uploaded = (file: UploadReceipt): UploadedFile => ({ ...summary(file), url: addresses.cdn(file.id) })
  const info = (file: ReadyFileRecord): FileInfo => ({
    ...uploaded(file),
    download_url: addresses.download(file.id)
  })
  const details = ({ folder, description, sha256, scannedAt, engine }: ReadyFileRecord) => ({
    folder,
    description,
    sha256,
    scanned_at: scannedAt.toISOString(),
    scanner: engine
  })
  return {
    summary,
    uploaded,
    info,
    detailedSummary: (file) => ({ ...summary(file), ...details(file) }),
    detailedInfo: (file) => ({ ...info(file), ...details(file) }),
    linkToNext: (query, cursor) =>
      `<${addresses.list(nextQuery(listParameters, query, cursor))}>; rel="next"`,
    trashed: (file) => ({
      ...summary(file),
      folder: file.folder,
      deleted_at: file.trashedAt.toISOString(),
      expires_at: new Date(file.trashedAt.getTime() + trashDays * DAY_MS).toISOString()
    }),
    linkToNextTrash: (query, cursor) =>
      `<${addresses.trash(nextQuery(trashParameters, query, cursor))}>; rel="next"`
  }
}
