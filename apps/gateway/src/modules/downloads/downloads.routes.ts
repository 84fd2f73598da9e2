import { pipeline } from 'node:stream'
import contentDisposition from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sentences, type FileParams } from '@filewright/contracts'
import type { BlobStore } from '@filewright/blob-store'
import type { ReadyFileRecord } from '@filewright/db'
import { isInlineSafe } from '@filewright/scanner'
import { AppError } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import type { FilesService } from '../files/files.service.js'
import type { Addresses } from './addresses.js'
import { select } from './conditions.js'
import { createVerifiedStream } from './verified-stream.js'

export interface DownloadRoutesOptions {
  files: FilesService
  blobs: Pick<BlobStore, 'read'>
  addresses: Addresses
  idleTimeoutMs: number
}

type Request = FastifyRequest<{ Params: FileParams }>

/** Text is stored as it came, almost always UTF-8; without a charset browsers would guess. */
function contentTypeOf (type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** Always both `filename` and `filename*`, the first in ASCII: header bytes above it arrive damaged, or not at all. */
function dispositionOf (name: string, type: 'inline' | 'attachment'): string {
  const header = contentDisposition(name, { type, fallback: name.replace(/[^\x20-\x7e]/gu, '_') })
  if (header.includes("; filename*=UTF-8''")) return header
  return `${header}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

function createSender ({ blobs, idleTimeoutMs }: DownloadRoutesOptions) {
  return async function send (file: ReadyFileRecord, request: Request, reply: FastifyReply, disposition: 'inline' | 'attachment'): Promise<FastifyReply> {
    const representation = { etag: `"${file.sha256}"`, lastModified: file.createdAt, sizeBytes: file.sizeBytes }
    const selection = select(request.headers, representation)
    reply.headers({
      etag: representation.etag,
      'last-modified': file.createdAt.toUTCString(),
      'accept-ranges': 'bytes'
    })
    if (selection.status === 412) return reply.code(412).send({ error: sentences.preconditionFailed })
    if (selection.status === 416) {
      return reply.code(416).header('content-range', `bytes */${file.sizeBytes}`).send({ error: sentences.rangeNotSatisfiable })
    }
    if (selection.status === 304) return reply.code(304).send()

    const range = selection.status === 206 ? selection.range : undefined
    reply.code(selection.status).headers({
      'content-type': contentTypeOf(file.type),
      'content-length': range === undefined ? file.sizeBytes : range.end - range.start + 1,
      'content-disposition': dispositionOf(file.name, disposition),
      // Whatever the bytes are, a browser that shows them runs nothing.
      'content-security-policy': "sandbox; default-src 'none'"
    })
    if (range !== undefined) reply.header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
    if (request.method === 'HEAD') return reply.send()

    const signal = clientSignal(reply)
    const stored = await blobs.read(file.blobKey, { signal, ...(range === undefined ? {} : { range }) })
    // A reader that stops reading would hold the file and the socket for ever.
    reply.raw.setTimeout(idleTimeoutMs, () => { reply.raw.destroy() })
    if (range !== undefined) return reply.send(stored)
    return reply.send(pipeline(stored, createVerifiedStream(file.sha256), (error) => {
      if (error instanceof AppError && error.code === 'BLOB_CORRUPT') request.log.fatal({ err: error, fileId: file.id }, 'stored file is damaged')
    }))
  }
}

/** `GET|HEAD …/files/:id/download`, for the path of the specification and for the path of `download_url`. */
export async function downloadRoutes (app: FastifyInstance, options: DownloadRoutesOptions): Promise<void> {
  const send = createSender(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => { done(null) })
  app.route<{ Params: FileParams }>({
    method: ['GET', 'HEAD'],
    url: '/files/:id/download',
    handler: async (request, reply) => {
      const file = await options.files.get(request.principal, request.params.id)
      reply.header('cache-control', 'private, no-cache')
      return await send(file, request, reply, 'attachment')
    }
  })
  refuseOtherMethods(app, '/files/:id/download', ['GET', 'HEAD'])
}

/** The CDN's origin: no token, because the unguessable id, or the signature beside it, is the permission. */
export async function cdnRoutes (app: FastifyInstance, options: DownloadRoutesOptions): Promise<void> {
  const send = createSender(options)
  app.route<{ Params: FileParams }>({
    method: ['GET', 'HEAD'],
    url: '/cdn/files/:id',
    handler: async (request, reply) => {
      const { id } = request.params
      if (!options.addresses.isAdmitted(id, request.query as Record<string, unknown>)) {
        throw new AppError('FILE_NOT_FOUND', 'the address carries no valid signature')
      }
      const file = await options.files.getPublic(id)
      reply.headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
      return await send(file, request, reply, isInlineSafe(file.type) ? 'inline' : 'attachment')
    }
  })
  refuseOtherMethods(app, '/cdn/files/:id', ['GET', 'HEAD'])
}
