import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import {
  DeleteFileResponse, FileResponse, ListFilesResponse, sentences, UploadResponse,
  type FileParams
} from '@filewright/contracts'
import { clientSignal } from '../../http/client-signal.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js'
import type { FilesPresenter } from './files.presenter.js'
import type { FilesService } from './files.service.js'
import { parseListQuery } from './list-query.js'
import { listenToSkippedParts } from './skipped-parts.js'
import { readForm } from './upload-form.js'
import type { UploadService } from './upload.service.js'

export interface FilesRoutesOptions {
  files: FilesService
  uploads: UploadService
  presenter: FilesPresenter
  idleTimeoutMs: number
}

/** The specification's file endpoints, but for the download. The scope it is registered in authenticates. */
export async function filesRoutes (app: FastifyInstance, { files, uploads, presenter, idleTimeoutMs }: FilesRoutesOptions): Promise<void> {
  // No route here reads a body but the upload, which streams it: whatever a client sends elsewhere is not an error.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => { done(null) })
  listenToSkippedParts()
  await app.register(multipart, { throwFileSizeLimit: false })

  app.post('/files/upload', { config: { lane: 'upload' }, schema: { response: { 201: UploadResponse } } }, async (request, reply) => {
    const idempotencyKey = idempotencyKeyOf(request.headers)
    const form = readForm(request, reply, { idleTimeoutMs })
    const { file, replayed } = await uploads.upload(request.principal, form, { signal: clientSignal(reply), requestId: request.id, idempotencyKey })
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(201).send({ file: presenter.uploaded(file) })
  })

  app.get('/files', { schema: { response: { 200: ListFilesResponse } } }, async (request) => {
    const query = parseListQuery(request.query as Record<string, unknown>)
    const { files: found, total } = await files.list(request.principal, query)
    return { files: found.map(presenter.summary), pagination: { page: query.page, limit: query.limit, total } }
  })

  app.get<{ Params: FileParams }>('/files/:id', { schema: { response: { 200: FileResponse } } }, async (request) => {
    return { file: presenter.info(await files.get(request.principal, request.params.id)) }
  })

  app.delete<{ Params: FileParams }>('/files/:id', { schema: { response: { 200: DeleteFileResponse } } }, async (request) => {
    await files.remove(request.principal, request.params.id)
    return { message: sentences.fileDeleted }
  })

  refuseOtherMethods(app, '/files/upload', ['POST'])
  refuseOtherMethods(app, '/files', ['GET', 'HEAD'])
  refuseOtherMethods(app, '/files/:id', ['GET', 'HEAD', 'DELETE'])
}
