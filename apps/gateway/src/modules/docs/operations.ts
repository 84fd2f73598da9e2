import {
  detailedMediaType,
  ListFilesQuery,
  ListFoldersQuery,
  ListProjectsQuery,
  sentences
} from '@filewright/contracts'
import { aiPaths } from './ai-operations.js'
import { examples, fileId } from './examples.js'
import type { ResponseHeader } from './headers.js'
import { idempotency, params } from './requests.js'
import {
  authenticated,
  badField,
  common,
  failure,
  failures,
  json,
  ofFramework,
  overQuota,
  schemaRef,
  sentence,
  success
} from './responses.js'

const malformedId = ofFramework(400)

interface QuerySchema {
  properties: object
  required?: string[] | undefined
}

/** The query's contract, member by member. */
const queryParameters = ({ properties, required = [] }: QuerySchema) =>
  Object.entries(properties as Record<string, { description?: string }>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...(name === 'project_id' ? { example: 'demo' } : {})
    })
  )

/** With more in each file for a client that accepts the other type. */
const eitherForm = (schema: string, example: object, detailedExample: object) => ({
  ...json(schema, example),
  [detailedMediaType]: { schema: schemaRef(`Detailed${schema}`), example: detailedExample }
})

function upload(cdnUrl: string) {
  return {
    operationId: 'uploadFile',
    tags: ['files'],
    summary: 'Upload a file to a project',
    description:
      'The file is scanned before anyone can read it, and the answer comes after the verdict. The parts of the form may come in any order.',
    parameters: params('IdempotencyKey'),
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: schemaRef('UploadForm'), example: examples.uploadForm } }
    },
    responses: {
      201: success('Stored, scanned and visible', json('UploadResponse', examples.uploaded(cdnUrl)), [
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
  }
}

const list = {
  operationId: 'listFiles',
  tags: ['files'],
  summary: 'List the files of a project',
  description:
    'By page number, or by key: pages that follow the Link header neither skip nor repeat a file that is there all the time, whatever is added or deleted meanwhile.',
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
}

const info = (cdnUrl: string, downloadUrl: string) => ({
  operationId: 'getFile',
  tags: ['files'],
  summary: 'Information on a file',
  parameters: params('FileId'),
  responses: {
    200: success(
      'The file',
      eitherForm(
        'FileResponse',
        examples.info(cdnUrl, downloadUrl),
        examples.detailedInfo(cdnUrl, downloadUrl)
      )
    ),
    ...failures([malformedId, failure('FILE_NOT_FOUND'), ...authenticated])
  }
})

const projects = {
  operationId: 'listProjects',
  tags: ['projects'],
  summary: 'List the projects that the token can see, by id',
  parameters: [...queryParameters(ListProjectsQuery), ...params()],
  responses: {
    200: success('The projects', json('ProjectsResponse', examples.projects)),
    ...failures([badField('after', 'must be valid text'), ...authenticated])
  }
}

const folders = {
  operationId: 'listFolders',
  tags: ['projects'],
  summary: 'List the direct sub-folders of a folder, by name, with counts of everything below them',
  parameters: [...queryParameters(ListFoldersQuery), ...params()],
  responses: {
    200: success('The folders', json('FoldersResponse', examples.folders)),
    ...failures([badField('project_id', 'is required'), failure('FORBIDDEN'), ...authenticated])
  }
}

const remove = {
  operationId: 'deleteFile',
  tags: ['files'],
  summary: 'Delete a file',
  parameters: params('FileId'),
  responses: {
    200: success('Deleted', json('DeleteFileResponse', examples.deleted)),
    ...failures([malformedId, failure('FILE_NOT_FOUND'), ...authenticated])
  }
}

const fileHeaders: ResponseHeader[] = ['ETag', 'Last-Modified', 'Accept-Ranges']

interface Download {
  operationId: string
  summary: string
  method: 'get' | 'head'
  isPublic: boolean
}

/** `GET` and `HEAD`, which differ in the body alone. */
function download({ operationId, summary, method, isPublic }: Download) {
  const bytes = method === 'head' ? undefined : { '*/*': { schema: { type: 'string', format: 'binary' } } }
  const limited = { limited: !isPublic }
  const refusals = failures([
    malformedId,
    failure('FILE_NOT_FOUND'),
    sentence(412, sentences.preconditionFailed),
    sentence(416, sentences.rangeNotSatisfiable),
    ...(isPublic ? common : authenticated)
  ])
  return {
    operationId,
    tags: [isPublic ? 'cdn' : 'files'],
    summary,
    ...(isPublic ? { security: [] } : {}),
    parameters: params(
      'FileId',
      'Range',
      'IfRange',
      'IfNoneMatch',
      'IfModifiedSince',
      'IfMatch',
      'IfUnmodifiedSince'
    ),
    responses: {
      200: success('The bytes', bytes, [...fileHeaders, 'Content-Disposition'], limited),
      206: success(
        'A part of them',
        bytes,
        [...fileHeaders, 'Content-Disposition', 'Content-Range'],
        limited
      ),
      304: success('The client has it already', undefined, fileHeaders, limited),
      ...(method === 'head'
        ? Object.fromEntries(
            Object.entries(refusals).map(([status, { content: _none, ...response }]) => [status, response])
          )
        : refusals)
    }
  }
}

const downloads = (name: string, summary: string, isPublic = false) => ({
  get: download({ operationId: name, summary, method: 'get', isPublic }),
  head: download({ operationId: `${name}Head`, summary: `${summary}: its headers`, method: 'head', isPublic })
})

const service = {
  operationId: 'showService',
  tags: ['service'],
  summary: 'Show how the service is, and its limits',
  parameters: params(),
  responses: {
    200: success('What is known at this moment', json('ServiceResponse', examples.service)),
    ...failures(authenticated)
  }
}

/** Every route of the public listener, but for the pages for people. */
export function createPaths({ baseUrl, cdnUrl }: { baseUrl: string; cdnUrl: string }) {
  const [url, downloadUrl] = [`${cdnUrl}/files/${fileId}`, `${baseUrl}/files/${fileId}/download`]
  return {
    '/api/projects': { get: projects },
    '/api/folders': { get: folders },
    '/api/files/upload': { post: upload(url) },
    '/api/files': { get: list },
    '/api/files/{id}': { get: info(url, downloadUrl), delete: remove },
    '/api/files/{id}/download': downloads('downloadFile', 'Download a file'),
    '/files/{id}/download': downloads('followDownloadUrl', 'Download a file by its download_url'),
    '/cdn/files/{id}': downloads('readFromCdn', 'Read a file by its public url', true),
    ...aiPaths,
    '/api/service': { get: service }
  }
}
