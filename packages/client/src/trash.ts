import type { DetailedFileInfo, TrashedFile, TrashResponse } from '@filewright/contracts'
import { deleteAnswer, emptyTrashAnswer, fileAnswer, trashAnswer } from './answers.js'
import { DETAILS, queryOf } from './files.js'
import { MAX_PAGE, walk } from './pages.js'
import type { CallOptions, Transport } from './transport.js'

export interface TrashListOptions extends CallOptions {
  projectId: string
  page?: number
  limit?: number
}

/** Deleted files that can be restored. */
export interface TrashApi {
  /** Most recently deleted first. */
  list: (options: TrashListOptions) => Promise<TrashResponse>
  /** Every file, page by page, as `files.iterate`. */
  iterate: (options: Omit<TrashListOptions, 'page'>) => AsyncGenerator<TrashedFile>
  /** Restores the file under the same id. A file that is already restored is returned. */
  restore: (id: string, options?: CallOptions) => Promise<DetailedFileInfo>
  /** For good. */
  delete: (id: string, options?: CallOptions) => Promise<void>
  /** Permanently deletes all files in the project's trash; returns their number. */
  empty: (options: CallOptions & { projectId: string }) => Promise<number>
}

export function createTrashApi(transport: Transport): TrashApi {
  const pathOf = (id: string): string => `/api/trash/${encodeURIComponent(id)}`

  return {
    list: async ({ projectId, page, limit, ...options }) =>
      await transport.request(
        'GET',
        `/api/trash${queryOf({ project_id: projectId, page, limit })}`,
        trashAnswer,
        options
      ),

    iterate: async function* ({ projectId, limit = MAX_PAGE, ...options }) {
      const pageAfter = (after: string): string =>
        `/api/trash${queryOf({ project_id: projectId, limit, after })}`
      yield* walk(transport, pageAfter, trashAnswer, options)
    },

    restore: async (id, options = {}) =>
      (await transport.request('POST', `${pathOf(id)}/restore`, fileAnswer, { ...options, accept: DETAILS }))
        .file,

    delete: async (id, options = {}) => {
      await transport.request('DELETE', pathOf(id), deleteAnswer, options)
    },

    empty: async ({ projectId, ...options }) => {
      const path = `/api/trash${queryOf({ project_id: projectId })}`
      // Undefined if a retry is answered by a gateway without a trash.
      const answer: { deleted: number } | undefined = await transport.request(
        'DELETE',
        path,
        emptyTrashAnswer,
        options
      )
      return answer?.deleted ?? 0
    }
  }
}
