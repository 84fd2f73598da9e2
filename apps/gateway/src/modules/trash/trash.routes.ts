import type { FastifyInstance } from 'fastify'
import {
  DeleteFileResponse,
  DetailedFileResponse,
  EmptyTrashResponse,
  FileResponse,
  sentences,
  TrashResponse,
  type FileParams
} from '@filewright/contracts'
import { parseProjectId } from '@filewright/domain'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, type Query } from '../../http/query.js'
import { eitherForm, wantsDetails } from '../files/details.js'
import type { FilesPresenter } from '../files/files.presenter.js'
import { writeCursor } from '../files/list-cursor.js'
import { parsePaging } from '../files/list-query.js'
import * as operations from './trash.operations.js'
import type { TrashService } from './trash.service.js'

const NEWEST_FIRST = { by: 'trashedAt', descending: true } as const

/** Deleted files that can be restored. The parent scope authenticates requests. */
export async function trashRoutes(
  app: FastifyInstance,
  { trash, presenter }: { trash: TrashService; presenter: FilesPresenter }
): Promise<void> {
  // No route here reads a body. Any body that a client sends is ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.get(
    '/trash',
    { config: { operation: operations.listTrash }, schema: { response: { 200: TrashResponse } } },
    async (request, reply) => {
      const query = request.query as Query
      const scope = { projectId: parseProjectId(once(query, 'project_id')), order: NEWEST_FIRST }
      const { isWalk, ...paging } = parsePaging(query, scope)
      const { page, limit } = paging
      const { files, total } = await trash.list(request.principal, { projectId: scope.projectId, ...paging })
      const last = files.at(-1)
      if (isWalk && last !== undefined && files.length === limit) {
        const after = writeCursor(scope, { page: page + 1, last })
        reply.header('link', presenter.linkToNextTrash(request.query as Record<string, string>, after))
      }
      return { files: files.map(presenter.trashed), pagination: { page, limit, total } }
    }
  )

  app.delete(
    '/trash',
    { config: { operation: operations.emptyTrash }, schema: { response: { 200: EmptyTrashResponse } } },
    async (request) => {
      const projectId = parseProjectId(once(request.query as Query, 'project_id'))
      return { deleted: await trash.empty(request.principal, projectId) }
    }
  )

  const restored = {
    config: { operation: operations.restoreFile },
    schema: { response: eitherForm(FileResponse, DetailedFileResponse) }
  }
  app.post<{ Params: FileParams }>('/trash/:id/restore', restored, async (request, reply) => {
    const file = await trash.restore(request.principal, request.params.id)
    return { file: wantsDetails(request, reply) ? presenter.detailedInfo(file) : presenter.info(file) }
  })

  app.delete<{ Params: FileParams }>(
    '/trash/:id',
    {
      config: { operation: operations.deleteTrashedFile },
      schema: { response: { 200: DeleteFileResponse } }
    },
    async (request) => {
      await trash.remove(request.principal, request.params.id)
      return { message: sentences.fileErased }
    }
  )

  refuseOtherMethods(app, '/trash', ['GET', 'HEAD', 'DELETE'])
  refuseOtherMethods(app, '/trash/:id', ['DELETE'])
  refuseOtherMethods(app, '/trash/:id/restore', ['POST'])
}
