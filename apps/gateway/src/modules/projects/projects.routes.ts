import type { FastifyInstance } from 'fastify'
import { FoldersResponse, limits, ProjectsResponse } from '@filewright/contracts'
import { parseFolder, parseProjectId, parseText } from '@filewright/domain'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, type Query } from '../../http/query.js'
import * as operations from './projects.operations.js'
import type { ProjectsService } from './projects.service.js'

const afterOf = (query: Query): string => parseText('after', once(query, 'after') ?? '', limits.folderBytes)

/** Lists projects and folders. The parent scope authenticates requests. */
export async function projectsRoutes(
  app: FastifyInstance,
  { projects }: { projects: ProjectsService }
): Promise<void> {
  const projectsOptions = {
    config: { operation: operations.listProjects },
    schema: { response: { 200: ProjectsResponse } }
  }
  app.get('/projects', projectsOptions, async (request) => {
    return { projects: await projects.list(request.principal, afterOf(request.query as Query)) }
  })

  const foldersOptions = {
    config: { operation: operations.listFolders },
    schema: { response: { 200: FoldersResponse } }
  }
  app.get('/folders', foldersOptions, async (request) => {
    const query = request.query as Query
    return {
      folders: await projects.folders(request.principal, {
        projectId: parseProjectId(once(query, 'project_id')),
        parent: parseFolder(once(query, 'folder')),
        after: afterOf(query)
      })
    }
  })

  for (const path of ['/projects', '/folders']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}
