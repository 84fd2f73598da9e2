import { limits, type Recall } from '@filewright/contracts'
import type { Database, RecallRecord } from '@filewright/db'
import { AppError } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'
import type { DownloadLog } from './download-log.js'

export interface RecallsQuery {
  projectId?: string
  /** Lists files withdrawn at this time or later. */
  since: Date
  /** Among files withdrawn at exactly that time, lists only higher ids. */
  afterId: string
}

export interface RecallsService {
  /** The withdrawn files that concern the token, oldest first. */
  list: (principal: Principal, query: RecallsQuery) => Promise<Recall[]>
}

export interface RecallsServiceDeps {
  downloads: Pick<Database['downloads'], 'listRecalls'>
  log: Pick<DownloadLog, 'flush'>
}

export function createRecallsService({ downloads, log }: RecallsServiceDeps): RecallsService {
  /**
   * A token without access to the project learns which bytes to look for, but no other property of the file.
   */
  function present(principal: Principal, record: RecallRecord): Recall {
    const isVisible = canAccess(principal, record.projectId)
    return {
      id: record.id,
      project_id: isVisible ? record.projectId : null,
      name: isVisible ? record.name : null,
      folder: isVisible ? record.folder : null,
      size: record.sizeBytes,
      sha256: record.sha256,
      signature: record.signature,
      withdrawn_at: record.withdrawnAt.toISOString(),
      downloaded_at: record.downloadedAt?.toISOString() ?? null,
      downloaders: record.downloaders
    }
  }

  return {
    async list(principal, { projectId, since, afterId }) {
      if (projectId !== undefined && !canAccess(principal, projectId)) {
        throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's recalls`)
      }
      const seen = principal.projects === '*' ? undefined : [...principal.projects]
      const projectIds = projectId === undefined ? seen : [projectId]
      await log.flush()
      const found = await downloads.listRecalls(
        {
          ...(projectIds === undefined ? {} : { projectIds }),
          ...(seen === undefined ? {} : { seen }),
          after: { at: since, id: afterId },
          limit: limits.namesPerAnswer
        },
        principal.tokenId
      )
      return found.map((record) => present(principal, record))
    }
  }
}
