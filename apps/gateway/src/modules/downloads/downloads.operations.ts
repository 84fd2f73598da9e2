import { sentences } from '@filewright/contracts'
import type { ResponseHeader } from '../docs/headers.js'
import type { Describe } from '../docs/operation.js'
import { fileIdRefused, params } from '../docs/requests.js'
import { authenticated, common, failure, failures, sentence, success } from '../docs/responses.js'

const fileHeaders: ResponseHeader[] = ['ETag', 'Last-Modified', 'Accept-Ranges']

interface Download {
  operationId: string
  summary: string
  isPublic?: boolean
}

const download =
  ({ operationId, summary, isPublic = false }: Download): Describe =>
  ({ method }) => {
    const isHead = method === 'head'
    const bytes = isHead ? undefined : { '*/*': { schema: { type: 'string', format: 'binary' } } }
    const limited = { limited: !isPublic }
    const refusals = failures(
      [
        ...fileIdRefused,
        failure('FILE_WITHDRAWN'),
        sentence(412, sentences.preconditionFailed),
        sentence(416, sentences.rangeNotSatisfiable),
        ...(isPublic ? common : authenticated)
      ],
      { 410: ['X-Rejection'] }
    )
    return {
      operationId: isHead ? `${operationId}Head` : operationId,
      tags: [isPublic ? 'cdn' : 'files'],
      summary: isHead ? `${summary}: its headers` : summary,
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
        ...(isPublic && !isHead
          ? {
              302: success('The bucket has the bytes (`CDN_DIRECT`)', undefined, ['Location'], limited)
            }
          : {}),
        304: success('The client has it already', undefined, fileHeaders, limited),
        ...(isHead
          ? Object.fromEntries(
              Object.entries(refusals).map(([status, { content: _none, ...response }]) => [status, response])
            )
          : refusals)
      }
    }
  }

export const downloadFile = download({ operationId: 'downloadFile', summary: 'Download a file' })
export const followDownloadUrl = download({
  operationId: 'followDownloadUrl',
  summary: 'Download a file by its download_url'
})
export const readFromCdn = download({
  operationId: 'readFromCdn',
  summary: 'Read a file by its public url',
  isPublic: true
})
