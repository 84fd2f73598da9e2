import { Type, type Static } from 'typebox'
import { limits } from './limits.js'

const id = Type.String({ description: 'File identifier' })
const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })

const head = {
  id,
  name: Type.String({ description: 'File name as uploaded' }),
  size: Type.Integer({ minimum: 0, maximum: limits.fileSizeBytes, description: 'Size in bytes' }),
  type: Type.String({ description: 'Media type, verified from the bytes' })
}
const url = Type.String({ description: 'CDN address' })
const exact = { additionalProperties: false }

export const FileSummary = Type.Object({ ...head, created_at: timestamp }, exact)
export type FileSummary = Static<typeof FileSummary>

export const UploadedFile = Type.Object({ ...head, url, created_at: timestamp }, exact)
export type UploadedFile = Static<typeof UploadedFile>

export const FileInfo = Type.Object({ ...head, url, download_url: Type.String({ description: 'API download address' }), created_at: timestamp }, exact)
export type FileInfo = Static<typeof FileInfo>

export const UploadResponse = Type.Object({ file: UploadedFile }, exact)
export type UploadResponse = Static<typeof UploadResponse>

export const FileResponse = Type.Object({ file: FileInfo }, exact)
export type FileResponse = Static<typeof FileResponse>

export const Pagination = Type.Object({ page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }, exact)
export type Pagination = Static<typeof Pagination>

export const ListFilesResponse = Type.Object({ files: Type.Array(FileSummary), pagination: Pagination }, exact)
export type ListFilesResponse = Static<typeof ListFilesResponse>

export const DeleteFileResponse = Type.Object({ message: Type.String() }, exact)
export type DeleteFileResponse = Static<typeof DeleteFileResponse>

/** Values arrive as text; their rules, with sentences that name the field, are the gateway's. */
export const ListFilesQuery = Type.Object({
  project_id: Type.Optional(Type.String({ description: 'Project; required' })),
  folder: Type.Optional(Type.String({ description: 'Exactly this folder; the whole project when absent' })),
  type: Type.Optional(Type.String({ description: 'A media type (image/png), a wildcard (image/*) or a kind (code, image, archive, document)' })),
  page: Type.Optional(Type.String({ description: `Whole number from 1, default ${limits.page.default}` })),
  limit: Type.Optional(Type.String({ description: `Whole number from 1, default ${limits.pageSize.default}, at most ${limits.pageSize.max}` }))
})
export type ListFilesQuery = Static<typeof ListFilesQuery>

export const FileParams = Type.Object({ id })
export type FileParams = Static<typeof FileParams>
