import { ListFoldersQuery, ListProjectsQuery } from '@filewright/contracts'
import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params, queryParameters } from '../docs/requests.js'
import { authenticated, badField, failure, failures, json, success } from '../docs/responses.js'

export const listProjects: Describe = () => ({
  operationId: 'listProjects',
  tags: ['projects'],
  summary: 'List the projects that the token can see, by id',
  parameters: [...queryParameters(ListProjectsQuery), ...params()],
  responses: {
    200: success('The projects', json('ProjectsResponse', examples.projects)),
    ...failures([badField('after', 'must be valid text'), ...authenticated])
  }
})

export const listFolders: Describe = () => ({
  operationId: 'listFolders',
  tags: ['projects'],
  summary: 'List the direct sub-folders of a folder, by name, with counts of everything below them',
  parameters: [...queryParameters(ListFoldersQuery), ...params()],
  responses: {
    200: success('The folders', json('FoldersResponse', examples.folders)),
    ...failures([badField('project_id', 'is required'), failure('FORBIDDEN'), ...authenticated])
  }
})
