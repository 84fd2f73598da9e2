import { limits } from '@filewright/contracts'
import type { BlobReader, BlobStore } from '@filewright/blob-store'
import type { Database, ReadyFileRecord } from '@filewright/db'
import { AppError, InvalidFieldError, isAppError } from '@filewright/runtime'
import type { FilesService } from '../files/files.service.js'
import type { DownloadLog } from '../recalls/download-log.js'
import { canAccess, type Principal } from '../tokens/principal.js'
import { nameEntries, type ZipEntry } from './zip-names.js'
import type { ZipSelection } from './zip-request.js'

export interface OpenedFile {
  file: ReadyFileRecord
  reader: BlobReader
}

export interface ZipService {
  /** The entries of the archive, sorted by name; at least one. */
  select: (principal: Principal, selection: ZipSelection) => Promise<ZipEntry[]>
  /** Null for a file that was deleted or withdrawn since it was selected. */
  open: (principal: Principal, id: string, signal: AbortSignal) => Promise<OpenedFile | null>
}

export interface ZipServiceDeps {
  selections: Database['selections']
  files: Pick<FilesService, 'get'>
  blobs: Pick<BlobStore, 'open'>
  log: Pick<DownloadLog, 'note'>
}

export function createZipService({ selections, files, blobs, log }: ZipServiceDeps): ZipService {
  async function find(principal: Principal, id: string): Promise<ReadyFileRecord | null> {
    try {
      return await files.get(principal, id)
    } catch (error) {
      if (isAppError(error, 'FILE_NOT_FOUND') || isAppError(error, 'FILE_WITHDRAWN')) return null
      throw error
    }
  }

  return {
    async select(principal, { projectId, base, folders, ids, after }) {
      if (!canAccess(principal, projectId)) {
        throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not read the project`)
      }
      const limit = limits.filesPerZip + 1
      const found = await selections.list({ projectId, ids, folders, limit }, principal.tokenId)
      if (found.length === limit) {
        throw new InvalidFieldError('files', `must be at most ${limits.filesPerZip}; choose fewer folders`)
      }
      const known = new Set(found.map(({ id }) => id))
      const missing = ids.find((id) => !known.has(id))
      if (missing !== undefined) {
        throw new AppError('FILE_NOT_FOUND', `no ready file ${missing} in the project`)
      }
      // Names are assigned before `after` is applied, because the number in a name depends on earlier names.
      const entries = nameEntries(found, base).filter(({ name }) => name > after)
      if (entries.length === 0) throw new AppError('FILE_NOT_FOUND', 'nothing is selected')
      return entries
    },

    async open(principal, id, signal) {
      const file = await find(principal, id)
      if (file === null) return null
      try {
        const reader = await blobs.open(file.blobKey, { signal })
        log.note(principal.tokenId, file.id)
        return { file, reader }
      } catch (error) {
        // Otherwise the store has lost a file.
        if (isAppError(error, 'BLOB_NOT_FOUND') && (await find(principal, id)) === null) return null
        throw error
      }
    }
  }
}
