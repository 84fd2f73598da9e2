import type { BlobStore } from '@filewright/blob-store'
import type { Database, ReadyFileRecord, TrashedFileRecord, TrashListOptions } from '@filewright/db'
import { AppError, failpoint, isAppError, isId, type Logger } from '@filewright/runtime'
import { erase } from '../files/erase.js'
import type { FilesService } from '../files/files.service.js'
import { withdrawnError } from '../files/withdrawn-error.js'
import { canAccess, type Principal } from '../tokens/principal.js'

export interface TrashService {
  list: (
    principal: Principal,
    options: TrashListOptions
  ) => Promise<{ files: TrashedFileRecord[]; total: number }>
  /** Idempotent: a file that was already restored is returned unchanged. */
  restore: (principal: Principal, id: string) => Promise<ReadyFileRecord>
  /** Deletes the file permanently. */
  remove: (principal: Principal, id: string) => Promise<void>
  /** Deletes the files permanently and returns their number. The sweeper removes the content. */
  empty: (principal: Principal, projectId: string) => Promise<number>
}

export interface TrashServiceDeps {
  trash: Pick<Database['trash'], 'find' | 'list' | 'restore' | 'markDeleting' | 'markProjectDeleting'>
  files: Pick<Database['files'], 'remove'>
  /** Finds files that are not in the trash. */
  stored: Pick<FilesService, 'get'>
  blobs: Pick<BlobStore, 'remove'>
  logger: Pick<Logger, 'warn'>
}

/** After this many attempts in which the file is neither in the trash nor ready, it counts as missing. */
const MAX_MISSES = 3

/** The number of files per statement when the trash is emptied. */
const BATCH = 500

type KeptFile = NonNullable<Awaited<ReturnType<TrashServiceDeps['trash']['find']>>>

export function createTrashService(deps: TrashServiceDeps): TrashService {
  const { trash, stored } = deps

  function assertProject(principal: Principal, projectId: string): void {
    if (canAccess(principal, projectId)) return
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's trash`)
  }

  /** Also null for a file of another project: a token must not learn whether it exists. */
  async function find(principal: Principal, id: string): Promise<KeptFile | null> {
    const file = isId(id) ? await trash.find(id, principal.tokenId) : null
    return file !== null && canAccess(principal, file.projectId) ? file : null
  }

  return {
    async list(principal, options) {
      assertProject(principal, options.projectId)
      return await trash.list(options, principal.tokenId)
    },

    async restore(principal, id) {
      // If the restore loses a race, another request has moved the file: look up its new state.
      for (let misses = 0; ; ) {
        const file = await find(principal, id)
        if (file === null) {
          try {
            return await stored.get(principal, id)
          } catch (error) {
            // The file may have been deleted between the two lookups.
            if (!isAppError(error, 'FILE_NOT_FOUND') || ++misses === MAX_MISSES) throw error
            continue
          }
        }
        if (file.state === 'quarantined') throw withdrawnError(id)
        const restored = await trash.restore(id)
        FAILPOINT: failpoint('restore.done')
        if (restored !== null) return restored
      }
    },

    async remove(principal, id) {
      const file = await find(principal, id)
      if (file?.state !== 'trashed' || !(await trash.markDeleting(id))) {
        throw new AppError('FILE_NOT_FOUND', `${id} is not in the trash`)
      }
      FAILPOINT: failpoint('erase.row-marked')
      await erase(deps, file)
    },

    async empty(principal, projectId) {
      assertProject(principal, projectId)
      for (let count = 0; ; ) {
        const deleted = await trash.markProjectDeleting({ projectId, limit: BATCH }, principal.tokenId)
        count += deleted
        if (deleted < BATCH) return count
      }
    }
  }
}
