import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params } from '../docs/requests.js'
import {
  authenticated,
  badField,
  failure,
  failures,
  json,
  frameworkError,
  success
} from '../docs/responses.js'

export const downloadZip: Describe = () => ({
  operationId: 'downloadZip',
  tags: ['files'],
  summary: 'Download files and folders as one ZIP archive',
  description:
    'Sorted by name. Names in the archive are unique and valid on every system. A file that is deleted during the download is omitted. If stored bytes are damaged, the connection closes early: an archive with a complete directory is intact.',
  parameters: params(),
  requestBody: { required: true, content: json('ZipRequest', examples.zip) },
  responses: {
    200: success(
      'The archive',
      { 'application/zip': { schema: { type: 'string', format: 'binary' }, example: 'PK…' } },
      ['Content-Disposition']
    ),
    ...failures([
      badField('project_id', 'is required'),
      badField('files', 'must be ids of files'),
      failure('FORBIDDEN'),
      failure('FILE_NOT_FOUND'),
      failure('REQUEST_TIMEOUT'),
      frameworkError(413),
      frameworkError(415),
      ...authenticated
    ])
  }
})
