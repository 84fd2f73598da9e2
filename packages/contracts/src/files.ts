import { Type, type Static } from '@filewright/schema'
import { fieldPatterns } from './field-patterns.js'
import { fileKinds } from './file-kinds.js'
import { limits } from './limits.js'

const id = Type.String({ description: 'File identifier' })
const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })

const head = {
  id,
  name: Type.String({ description: 'File name as uploaded' }),
  size: Type.Integer({ minimum: 0, maximum: limits.fileSizeBytes, description: 'Size in bytes' }),
  type: Type.String({ description: 'Media type, detected from the content' })
}
const url = Type.String({ description: 'CDN address' })
const exact = { additionalProperties: false }

export const FileSummary = Type.Object({ ...head, created_at: timestamp }, exact)
export type FileSummary = Static<typeof FileSummary>

export const UploadedFile = Type.Object({ ...head, url, created_at: timestamp }, exact)
export type UploadedFile = Static<typeof UploadedFile>

export const FileInfo = Type.Object(
  { ...head, url, download_url: Type.String({ description: 'API download address' }), created_at: timestamp },
  exact
)
export type FileInfo = Static<typeof FileInfo>

/** For a client that requests it by `detailedMediaType`. */
const details = {
  folder: Type.String({ description: 'Folder, empty for the root' }),
  description: Type.Union([Type.String(), Type.Null()], { description: 'As uploaded' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes' }),
  scanned_at: timestamp,
  scanner: Type.Union([Type.String(), Type.Null()], { description: 'Scanner and its version' })
}

export const detailedMediaType = 'application/vnd.filewright+json'

export const DetailedFileSummary = Type.Object({ ...FileSummary.properties, ...details }, exact)
export type DetailedFileSummary = Static<typeof DetailedFileSummary>

export const DetailedFileInfo = Type.Object({ ...FileInfo.properties, ...details }, exact)
export type DetailedFileInfo = Static<typeof DetailedFileInfo>

export const UploadResponse = Type.Object({ file: UploadedFile }, exact)
export type UploadResponse = Static<typeof UploadResponse>

export const FileResponse = Type.Object({ file: FileInfo }, exact)
export type FileResponse = Static<typeof FileResponse>

export const Pagination = Type.Object(
  { page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() },
  exact
)
export type Pagination = Static<typeof Pagination>

export const ListFilesResponse = Type.Object(
  { files: Type.Array(FileSummary), pagination: Pagination },
  exact
)
export type ListFilesResponse = Static<typeof ListFilesResponse>

export const DetailedFileResponse = Type.Object({ file: DetailedFileInfo }, exact)
export type DetailedFileResponse = Static<typeof DetailedFileResponse>

export const DetailedListFilesResponse = Type.Object(
  {
    files: Type.Array(DetailedFileSummary),
    pagination: Pagination
  },
  exact
)
export type DetailedListFilesResponse = Static<typeof DetailedListFilesResponse>

export const DeleteFileResponse = Type.Object({ message: Type.String() }, exact)
export type DeleteFileResponse = Static<typeof DeleteFileResponse>

export const projectId = Type.String({
  minLength: 1,
  maxLength: limits.projectIdChars,
  pattern: fieldPatterns.projectId,
  examples: ['demo'],
  description: 'Project; printable characters without slashes'
})
export const sortOrders = ['created_at', '-created_at', 'name', '-name', 'size', '-size'] as const
export type SortOrder = (typeof sortOrders)[number]

const wholeNumber = { minimum: 1, maximum: limits.wholeNumber }

/**
 * The contract of the query. Values arrive as strings. The gateway parses them itself, because it has its own
 * error messages.
 */
export const ListFilesQuery = Type.Object({
  project_id: projectId,
  folder: Type.Optional(
    Type.String({
      pattern: fieldPatterns.folder,
      description: 'Exactly this folder, empty for the root; the whole project when absent'
    })
  ),
  type: Type.Optional(
    Type.String({
      pattern: fieldPatterns.typeFilter,
      description: `A media type (image/png), a wildcard (image/*) or a kind (${fileKinds.join(', ')})`
    })
  ),
  search: Type.Optional(
    Type.String({
      maxLength: limits.searchChars,
      pattern: fieldPatterns.text,
      description: 'Part of the name, case-insensitive; empty matches every name'
    })
  ),
  sort: Type.Optional(
    Type.Enum(sortOrders, { default: '-created_at', description: 'Order; - is for descending' })
  ),
  page: Type.Optional(
    Type.Integer({
      ...wholeNumber,
      default: limits.page.default,
      description: 'From 1; a page past the end is empty'
    })
  ),
  after: Type.Optional(
    Type.String({
      maxLength: limits.cursorChars,
      pattern: fieldPatterns.cursor,
      description:
        'Cursor from the Link header of the previous page, for the same query; empty for the first page. Cannot be combined with page'
    })
  ),
  limit: Type.Optional(
    Type.Integer({
      ...wholeNumber,
      default: limits.pageSize.default,
      description: `Items per page; more than ${limits.pageSize.max} counts as ${limits.pageSize.max}`
    })
  )
})
export type ListFilesQuery = Static<typeof ListFilesQuery>

/** Requires at least one of them, and no other property. */
export const ChangeFileRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.fileNameBytes,
        pattern: fieldPatterns.fileName,
        description: `New name; at most ${limits.fileNameBytes} bytes`
      })
    ),
    folder: Type.Optional(
      Type.String({
        pattern: fieldPatterns.folder,
        description: `New folder, a/b, empty for the root; at most ${limits.folderBytes} bytes`
      })
    )
  },
  { ...exact, minProperties: 1 }
)
export type ChangeFileRequest = Static<typeof ChangeFileRequest>

export const FileParams = Type.Object({ id })
export type FileParams = Static<typeof FileParams>

/** The contract of the form, whose parts may come in any order. */
export const UploadForm = Type.Object({
  file: Type.String({
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: `The file, with its name; at most ${limits.fileSizeBytes} bytes`
  }),
  project_id: projectId,
  folder: Type.Optional(
    Type.String({
      pattern: fieldPatterns.folder,
      // The reference page fills its form with these. Without examples, it generates text of any length from
      // the pattern.
      examples: ['reports/2026'],
      description: `Target folder, a/b; the root when absent; at most ${limits.folderBytes} bytes`
    })
  ),
  description: Type.Optional(
    Type.String({
      maxLength: limits.descriptionChars,
      pattern: fieldPatterns.text,
      examples: ['Figures of the year'],
      description: `Returned to clients that accept ${detailedMediaType}`
    })
  )
})
export type UploadForm = Static<typeof UploadForm>
