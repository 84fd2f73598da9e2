import type { FastifyInstance } from 'fastify'
import { DetailedFileResponse, FileResponse, type FileParams } from '@filewright/contracts'
import { InvalidFieldError } from '@filewright/runtime'
import { acceptJson } from '../../http/json-body.js'
import { parseFileChanges } from './change-file.js'
import { eitherForm, wantsDetails } from './details.js'
import { changeFile } from './files.operations.js'
import type { FilesPresenter } from './files.presenter.js'
import type { FilesService } from './files.service.js'

export interface ChangeFileRoutesOptions {
  files: Pick<FilesService, 'change'>
  presenter: FilesPresenter
  idleTimeoutMs: number
}

/** Room for both fields with every character escaped. */
const BODY_LIMIT_BYTES = 16 * 1024

/** Renames and moves a file. In a scope of its own, because the other file routes read no JSON. */
export async function changeFileRoutes(
  app: FastifyInstance,
  { files, presenter, idleTimeoutMs }: ChangeFileRoutesOptions
): Promise<void> {
  acceptJson(app, { idleTimeoutMs, notUtf8: () => new InvalidFieldError('body', 'must be UTF-8') })

  const options = {
    bodyLimit: BODY_LIMIT_BYTES,
    config: { operation: changeFile },
    schema: { response: eitherForm(FileResponse, DetailedFileResponse) }
  }
  app.patch<{ Params: FileParams }>('/files/:id', options, async (request, reply) => {
    const changes = parseFileChanges(request.body)
    const file = await files.change(request.principal, request.params.id, changes)
    return { file: wantsDetails(request, reply) ? presenter.detailedInfo(file) : presenter.info(file) }
  })
}
