import type { BlobStore } from '@filewright/blob-store'
import type { Database, FileChanges, ListOptions, ReadyFileRecord } from '@filewright/db'
import { AppError, failpoint, isId, type Logger } from '@filewright/runtime'
import { withdrawnError } from './withdrawn-error.js'
import { erase } from './erase.js'
import { canAccess, type Principal } from '../tokens/principal.js'

export interface FilesService {
  get: (principal: Principal, id: string) => Promise<ReadyFileRecord>
  /** For the public CDN address: the id itself is the permission. */
  getPublic: (id: string) => Promise<ReadyFileRecord>
  list: (principal: Principal, query: ListOptions) => Promise<{ files: ReadyFileRecord[]; total: number }>
  /** Renames or moves the file. Its id and addresses stay the same. */
  change: (principal: Principal, id: string, changes: FileChanges) => Promise<ReadyFileRecord>
  /** Moves the file to the trash, or deletes it if the trash is off. */
  remove: (principal: Principal, id: string) => Promise<void>
}

export interface FilesServiceDeps {
  files: Pick<
    Database['files'],
    'findReady' | 'findWithdrawn' | 'list' | 'change' | 'markDeleting' | 'markTrashed' | 'remove'
  >
  blobs: Pick<BlobStore, 'remove'>
  logger: Pick<Logger, 'warn'>
  /** 0 means that there is no trash. */
  trashDays: number
}

export function createFilesService({ files, blobs, logger, trashDays }: FilesServiceDeps): FilesService {
  const notFound = (id: string): AppError =>
    new AppError('FILE_NOT_FOUND', `no ready file for this request: ${id}`)

  /** Says why the file is gone, but only to a token that may access its project. */
  async function goneError(id: string, mayKnow: (projectId: string) => boolean): Promise<AppError> {
    const withdrawn = isId(id) ? await files.findWithdrawn(id) : null
    return withdrawn !== null && mayKnow(withdrawn.projectId) ? withdrawnError(id) : notFound(id)
  }

  async function getPublic(id: string): Promise<ReadyFileRecord> {
    const file = isId(id) ? await files.findReady(id) : null
    if (file === null) throw await goneError(id, () => true)
    return file
  }

  /** Also null for a file of another project: a token must not learn whether it exists. */
  async function find(principal: Principal, id: string): Promise<ReadyFileRecord | null> {
    const file = isId(id) ? await files.findReady(id) : null
    return file !== null && canAccess(principal, file.projectId) ? file : null
  }

  async function get(principal: Principal, id: string): Promise<ReadyFileRecord> {
    const file = await find(principal, id)
    if (file === null) throw await goneError(id, (projectId) => canAccess(principal, projectId))
    return file
  }

  /**
   * For a change. A file that cannot be read cannot be changed, and the specification defines only one
   * response for both.
   */
  async function getForChange(principal: Principal, id: string): Promise<ReadyFileRecord> {
    const file = await find(principal, id)
    if (file === null) throw notFound(id)
    return file
  }

  return {
    get,
    getPublic,

    async list(principal, query) {
      if (!canAccess(principal, query.projectId)) {
        throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not list the project`)
      }
      return await files.list(query, principal.tokenId)
    },

    async change(principal, id, changes) {
      const { tokenId } = principal
      const changed = await files.change((await getForChange(principal, id)).id, changes, tokenId)
      if (changed === null) throw new AppError('FILE_NOT_FOUND', `${id} was deleted before it could change`)
      return changed
    },

    async remove(principal, id) {
      const file = await getForChange(principal, id)
      if (trashDays > 0) {
        if (!(await files.markTrashed(file.id))) {
          throw new AppError('FILE_NOT_FOUND', `lost the race to delete ${id}`)
        }
        FAILPOINT: failpoint('delete.trashed')
        return
      }
      // The row goes first: an orphaned blob costs storage until the sweeper comes, an orphaned row serves a
      // broken download.
      if (!(await files.markDeleting(file.id))) {
        throw new AppError('FILE_NOT_FOUND', `lost the race to delete ${id}`)
      }
      FAILPOINT: failpoint('delete.row-marked')
      await erase({ files, blobs, logger }, file)
    }
  }
}
