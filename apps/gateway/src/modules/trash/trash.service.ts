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
  /** Idempotent: a file that is not in the trash any more, because it was restored, is returned as it is. */
  restore: (principal: Principal, id: string) => Promise<ReadyFileRecord>
  /** For good. */
  remove: (principal: Principal, id: string) => Promise<void>
  /** For good; returns how many. The sweeper removes the bytes. */
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

/** A file that is neither in the trash nor ready this often is not there. */
const MAX_MISSES = 3

/** In one statement when the trash is emptied. */
const BATCH = 500

type KeptFile = NonNullable<Awaited<ReturnType<TrashServiceDeps['trash']['find']>>>

export function createTrashService(deps: TrashServiceDeps): TrashService {
  const { trash, stored } = deps

  function assertProject(principal: Principal, projectId: string): void {
    if (canAccess(principal, projectId)) return
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's trash`)
  }

  /** Null for a foreign file, too: whether it exists is nobody's business. */
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
      // Whenever the restore loses, somebody else has moved the file: find out where to.
      for (let misses = 0; ; ) {
        const file = await find(principal, id)
        if (file === null) {
          try {
            return await stored.get(principal, id)
          } catch (error) {
            // It may have been deleted after the first look and before the second.
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
