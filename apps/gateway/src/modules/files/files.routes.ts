import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import {
  DeleteFileResponse,
  DetailedFileResponse,
  DetailedListFilesResponse,
  FileResponse,
  ListFilesResponse,
  sentences,
  UploadResponse,
  type FileParams
} from '@filewright/contracts'
import { clientSignal } from '../../http/client-signal.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js'
import { eitherForm, wantsDetails } from './details.js'
import * as operations from './files.operations.js'
import type { FilesPresenter } from './files.presenter.js'
import type { FilesService } from './files.service.js'
import { writeCursor } from './list-cursor.js'
import { parseListQuery } from './list-query.js'
import { listenToSkippedParts } from './busboy-patch.js'
import { readForm } from './upload-form.js'
import type { UploadService } from './upload.service.js'

export interface FilesRoutesOptions {
  files: FilesService
  uploads: UploadService
  presenter: FilesPresenter
  idleTimeoutMs: number
}

/**
 * The file endpoints of the specification, except the download. The parent scope authenticates requests.
 */
export async function filesRoutes(
  app: FastifyInstance,
  { files, uploads, presenter, idleTimeoutMs }: FilesRoutesOptions
): Promise<void> {
  // Only the upload reads a body, as a stream. On other routes any body is ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  listenToSkippedParts()
  await app.register(multipart, { throwFileSizeLimit: false })

  app.post(
    '/files/upload',
    {
      config: { lane: 'upload', operation: operations.uploadFile },
      schema: { response: { 201: UploadResponse } }
    },
    async (request, reply) => {
      const idempotencyKey = idempotencyKeyOf(request.headers)
      const form = readForm(request, reply, { idleTimeoutMs })
      const { file, replayed } = await uploads.upload(request.principal, form, {
        signal: clientSignal(reply),
        requestId: request.id,
        idempotencyKey
      })
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(201).send({ file: presenter.uploaded(file) })
    }
  )

  const listed = {
    config: { operation: operations.listFiles },
    schema: { response: eitherForm(ListFilesResponse, DetailedListFilesResponse) }
  }
  app.get('/files', listed, async (request, reply) => {
    const query = parseListQuery(request.query as Record<string, unknown>)
    const { files: found, total } = await files.list(request.principal, query)
    const pagination = { page: query.page, limit: query.limit, total }
    const last = found.at(-1)
    // A full page always has a link to the next one, even if that is empty. Without this rule, a client could
    // not distinguish the end of a list from a response that lost its header.
    if (query.isWalk && last !== undefined && found.length === query.limit) {
      const after = writeCursor(query, { page: query.page + 1, last })
      reply.header('link', presenter.linkToNext(request.query as Record<string, string>, after))
    }
    return {
      files: found.map(wantsDetails(request, reply) ? presenter.detailedSummary : presenter.summary),
      pagination
    }
  })

  const described = {
    config: { operation: operations.getFile },
    schema: { response: eitherForm(FileResponse, DetailedFileResponse) }
  }
  app.get<{ Params: FileParams }>('/files/:id', described, async (request, reply) => {
    const file = await files.get(request.principal, request.params.id)
    return { file: wantsDetails(request, reply) ? presenter.detailedInfo(file) : presenter.info(file) }
  })

  app.delete<{ Params: FileParams }>(
    '/files/:id',
    { config: { operation: operations.deleteFile }, schema: { response: { 200: DeleteFileResponse } } },
    async (request) => {
      await files.remove(request.principal, request.params.id)
      return { message: sentences.fileDeleted }
    }
  )

  refuseOtherMethods(app, '/files/upload', ['POST'])
  refuseOtherMethods(app, '/files', ['GET', 'HEAD'])
  refuseOtherMethods(app, '/files/:id', ['GET', 'HEAD', 'PATCH', 'DELETE'])
}
