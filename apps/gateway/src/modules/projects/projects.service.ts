import { limits, type FolderSummary, type ProjectSummary } from '@filewright/contracts'
import type { Database, FolderOptions } from '@filewright/db'
import { AppError } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'

export interface ProjectsService {
  /** The projects that the token can see, starting after the given id. */
  list: (principal: Principal, after: string) => Promise<ProjectSummary[]>
  folders: (principal: Principal, options: Omit<FolderOptions, 'limit'>) => Promise<FolderSummary[]>
}

export interface ProjectsServiceDeps {
  projects: Pick<Database['projects'], 'page'>
  folders: Pick<Database['folders'], 'list'>
}

export function createProjectsService({ projects, folders }: ProjectsServiceDeps): ProjectsService {
  const limit = limits.namesPerAnswer
  return {
    list: async ({ tokenId, projects: visible }, after) =>
      await projects.page({ ...(visible === '*' ? {} : { ids: [...visible] }), after, limit }, tokenId),

    folders: async (principal, options) => {
      if (!canAccess(principal, options.projectId)) {
        throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not list the project's folders`)
      }
      return await folders.list({ ...options, limit }, principal.tokenId)
    }
  }
}
