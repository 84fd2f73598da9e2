import { Type, type Static } from '@filewright/schema'
import { FileSummary, ListFilesQuery, Pagination, projectId } from './files.js'

const exact = { additionalProperties: false }
const timestamp = (description: string) => Type.String({ format: 'date-time', description })

export const TrashedFile = Type.Object(
  {
    ...FileSummary.properties,
    folder: Type.String({ description: 'Folder to which a restore moves the file; empty for the root' }),
    deleted_at: timestamp('When it was moved to the trash'),
    expires_at: timestamp('When it can no longer be restored')
  },
  exact
)
export type TrashedFile = Static<typeof TrashedFile>

export const TrashResponse = Type.Object({ files: Type.Array(TrashedFile), pagination: Pagination }, exact)
export type TrashResponse = Static<typeof TrashResponse>

const { page, after, limit } = ListFilesQuery.properties

export const ListTrashQuery = Type.Object({ project_id: projectId, page, after, limit })
export type ListTrashQuery = Static<typeof ListTrashQuery>

export const EmptyTrashQuery = Type.Object({ project_id: projectId })
export type EmptyTrashQuery = Static<typeof EmptyTrashQuery>

export const EmptyTrashResponse = Type.Object(
  { deleted: Type.Integer({ minimum: 0, description: 'Files that were deleted' }) },
  exact
)
export type EmptyTrashResponse = Static<typeof EmptyTrashResponse>
