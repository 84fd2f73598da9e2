import { EmptyTrashQuery, ListTrashQuery } from '@filewright/contracts'
import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { fileIdRefused, params, queryParameters } from '../docs/requests.js'
import { authenticated, badField, failure, failures, json, success } from '../docs/responses.js'
import { fileInEitherForm } from '../files/files.operations.js'

const projectRefused = [badField('project_id', 'is required'), failure('FORBIDDEN'), ...authenticated]

export const listTrash: Describe = () => ({
  operationId: 'listTrash',
  tags: ['trash'],
  summary: 'List the deleted files of a project that can be restored',
  description: 'Most recently deleted first. By page number or by cursor, as in the list of files.',
  parameters: [...queryParameters(ListTrashQuery), ...params()],
  responses: {
    200: success('One page', json('TrashResponse', examples.trash), ['Link']),
    ...failures([...projectRefused, badField('after', 'must be a cursor from the Link header of a list')])
  }
})

export const emptyTrash: Describe = () => ({
  operationId: 'emptyTrash',
  tags: ['trash'],
  summary: 'Delete the trash of a project permanently',
  parameters: [...queryParameters(EmptyTrashQuery), ...params()],
  responses: {
    200: success('Deleted permanently', json('EmptyTrashResponse', examples.emptied)),
    ...failures(projectRefused)
  }
})

export const restoreFile: Describe = (options) => ({
  operationId: 'restoreFile',
  tags: ['trash'],
  summary: 'Restore a deleted file',
  description:
    'The file keeps its id, name, folder and addresses. Idempotent: a file that was already restored is returned.',
  parameters: params('FileId'),
  responses: {
    200: success('The file', fileInEitherForm(options)),
    ...failures([...fileIdRefused, failure('FILE_WITHDRAWN'), ...authenticated], { 410: ['X-Rejection'] })
  }
})

export const deleteTrashedFile: Describe = () => ({
  operationId: 'deleteTrashedFile',
  tags: ['trash'],
  summary: 'Delete a file in the trash permanently',
  parameters: params('FileId'),
  responses: {
    200: success('Deleted permanently', json('DeleteFileResponse', examples.erased)),
    ...failures([...fileIdRefused, ...authenticated])
  }
})
