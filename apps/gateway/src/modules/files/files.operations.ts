import { detailedMediaType, ListFilesQuery } from '@filewright/contracts'
import { examples, fileId } from '../docs/examples.js'
import type { Describe, OpenApiOptions } from '../docs/operation.js'
import { fileIdRefused, idempotency, params, queryParameters } from '../docs/requests.js'
import {
  authenticated,
  badField,
  failure,
  failures,
  json,
  frameworkError,
  overQuota,
  schemaRef,
  success
} from '../docs/responses.js'

const urlOf = (cdnUrl: string): string => `${cdnUrl}/files/${fileId}`
const downloadUrlOf = (baseUrl: string): string => `${baseUrl}/files/${fileId}/download`

/** Adds the detailed form for a client that accepts its media type. */
const eitherForm = (schema: string, example: object, detailedExample: object) => ({
  ...json(schema, example),
  [detailedMediaType]: { schema: schemaRef(`Detailed${schema}`), example: detailedExample }
})

export const uploadFile: Describe = ({ cdnUrl }) => ({
  operationId: 'uploadFile',
  tags: ['files'],
  summary: 'Upload a file to a project',
  description:
    'The file is scanned before anyone can read it, and the response is sent after the verdict. The parts of the form may be in any order.',
  parameters: params('IdempotencyKey'),
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: schemaRef('UploadForm'), example: examples.uploadForm } }
  },
  responses: {
    201: success('Stored, scanned and visible', json('UploadResponse', examples.uploaded(urlOf(cdnUrl))), [
      'Idempotent-Replayed'
    ]),
    ...failures(
      [
        failure('INVALID_UPLOAD'),
        failure('FILE_REJECTED'),
        badField('project_id', 'is required'),
        failure('FORBIDDEN'),
        failure('REQUEST_TIMEOUT'),
        overQuota({ of: 'project', unit: 'files', limit: 5_000, isUsedUp: true }),
        overQuota({ of: 'token', unit: 'bytes', limit: 10_737_418_240, isUsedUp: false }),
        ...idempotency,
        failure('SCAN_UNAVAILABLE'),
        ...authenticated
      ],
      { 400: ['X-Rejection'] }
    )
  }
})

export const listFiles: Describe = () => ({
  operationId: 'listFiles',
  tags: ['files'],
  summary: 'List the files of a project',
  description:
    'By page number or by cursor. Pages that follow the Link header neither skip nor repeat a file that exists throughout, even if other files are added or deleted.',
  parameters: [...queryParameters(ListFilesQuery), ...params()],
  responses: {
    200: success('One page', eitherForm('ListFilesResponse', examples.list, examples.detailedList), ['Link']),
    ...failures([
      badField('project_id', 'is required'),
      badField('page', 'must be a whole number of at least 1'),
      badField('after', 'must be a cursor from the Link header of a list'),
      failure('FORBIDDEN'),
      ...authenticated
    ])
  }
})

/** The response body of every operation that returns one stored file. */
export const fileInEitherForm = ({ baseUrl, cdnUrl }: OpenApiOptions) =>
  eitherForm(
    'FileResponse',
    examples.info(urlOf(cdnUrl), downloadUrlOf(baseUrl)),
    examples.detailedInfo(urlOf(cdnUrl), downloadUrlOf(baseUrl))
  )

export const getFile: Describe = (options) => ({
  operationId: 'getFile',
  tags: ['files'],
  summary: 'Information on a file',
  parameters: params('FileId'),
  responses: {
    200: success('The file', fileInEitherForm(options)),
    ...failures([...fileIdRefused, failure('FILE_WITHDRAWN'), ...authenticated], { 410: ['X-Rejection'] })
  }
})

export const changeFile: Describe = (options) => ({
  operationId: 'changeFile',
  tags: ['files'],
  summary: 'Rename or move a file',
  description: 'The id, the addresses, the type and created_at stay the same. Names need not be unique.',
  parameters: params('FileId'),
  requestBody: { required: true, content: json('ChangeFileRequest', examples.changeFile) },
  responses: {
    200: success('The file', fileInEitherForm(options)),
    ...failures([
      ...fileIdRefused,
      badField('name', 'must not be empty'),
      badField('body', 'must have a name or a folder'),
      failure('REQUEST_TIMEOUT'),
      frameworkError(413),
      frameworkError(415),
      ...authenticated
    ])
  }
})

export const deleteFile: Describe = () => ({
  operationId: 'deleteFile',
  tags: ['files'],
  summary: 'Delete a file',
  description:
    'Moves the file to the trash, where it can be restored for TRASH_DAYS days. If the trash is off, deletes the file permanently.',
  parameters: params('FileId'),
  responses: {
    200: success('Deleted', json('DeleteFileResponse', examples.deleted)),
    ...failures([...fileIdRefused, ...authenticated])
  }
})
