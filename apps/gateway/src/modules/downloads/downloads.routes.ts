import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sentences, type FileParams } from '@filewright/contracts'
import type { BlobReader, BlobStore } from '@filewright/blob-store'
import type { ReadyFileRecord } from '@filewright/db'
import { isInlineSafe } from '@filewright/file-types'
import { AppError, isAppError } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import type { Describe } from '../docs/operation.js'
import type { Principal } from '../tokens/principal.js'
import type { FilesService } from '../files/files.service.js'
import type { Addresses } from '../files/addresses.js'
import type { DownloadLog } from '../recalls/download-log.js'
import { createByteCheck } from './byte-check.js'
import { select, type ByteRange } from './conditions.js'
import { contentTypeOf, inertContentTypeOf } from './content-type.js'
import type { DirectAddress, DirectAddresses } from './direct-addresses.js'
import { dispositionOf } from './disposition.js'
import { readFromCdn } from './downloads.operations.js'
import { sendBody } from './send-body.js'

export interface DownloadRoutesOptions {
  files: FilesService
  blobs: Pick<BlobStore, 'open'>
  addresses: Addresses
  idleTimeoutMs: number
  /** Records which token downloaded which file. */
  log: Pick<DownloadLog, 'note'>
  /** Receives the number of bytes sent, for complete and partial responses. */
  onSent?: ((bytes: number) => void) | undefined
}

/** The file, how to send it, and its own headers. */
interface SentAs {
  disposition: 'inline' | 'attachment'
  contentType: string
  [header: string]: string
}

interface CdnRoutesOptions extends DownloadRoutesOptions {
  /** Absent: the gateway sends every file itself. */
  direct?: DirectAddresses | undefined
}

const MAX_AGE_SECONDS = 300

/** Clients repeat these headers to the bucket, which has another ETag and another date. */
const needsOurValidators = ({ headers }: FastifyRequest): boolean =>
  ['if-match', 'if-unmodified-since', 'if-range'].some((name) => headers[name] !== undefined)

type Request = FastifyRequest<{ Params: FileParams }>

/** A cache keeps a file no longer than its address is valid, and revalidates it after that. */
function cacheControlOf(secondsLeft: number): string {
  if (secondsLeft === Infinity) return `public, max-age=${MAX_AGE_SECONDS}`
  return `public, max-age=${Math.min(MAX_AGE_SECONDS, Math.floor(secondsLeft))}, must-revalidate`
}

function createSender({ files, blobs, idleTimeoutMs, log, onSent }: DownloadRoutesOptions) {
  async function open(
    file: ReadyFileRecord,
    range: ByteRange | undefined,
    signal: AbortSignal
  ): Promise<BlobReader> {
    try {
      return await blobs.open(file.blobKey, { signal, ...(range === undefined ? {} : { range }) })
    } catch (error) {
      // If the file was deleted since the row was read, this is the 404 that every later reader gets.
      // Otherwise the store has lost a file.
      if (isAppError(error, 'BLOB_NOT_FOUND')) await files.getPublic(file.id)
      throw error
    }
  }

  return async function send(
    file: ReadyFileRecord,
    request: Request,
    reply: FastifyReply,
    { disposition, contentType, ...own }: SentAs,
    findElsewhere?: (signal: AbortSignal) => Promise<DirectAddress | null>
  ): Promise<FastifyReply> {
    const representation = {
      etag: `"${file.sha256}"`,
      lastModified: file.createdAt,
      sizeBytes: file.sizeBytes
    }
    const selection = select(request.headers, representation)
    const validators = {
      ...own,
      etag: representation.etag,
      'last-modified': file.createdAt.toUTCString(),
      'accept-ranges': 'bytes',
      // A browser that shows the file must not execute anything in it. Also with 304, whose headers replace
      // the cached ones: the name may have changed since.
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': dispositionOf(file.name, disposition)
    }
    if (selection.status === 412) return reply.code(412).send({ error: sentences.preconditionFailed })
    if (selection.status === 416) {
      return reply
        .code(416)
        .header('content-range', `bytes */${file.sizeBytes}`)
        .send({ error: sentences.rangeNotSatisfiable })
    }
    if (selection.status === 304) return reply.code(304).headers(validators).send()

    const range = selection.status === 206 ? selection.range : undefined
    const sizeBytes = range === undefined ? file.sizeBytes : range.end - range.start + 1
    // HEAD opens nothing, so it need not detect a disconnect.
    const signal = request.method === 'HEAD' ? null : clientSignal(reply)
    const elsewhere = signal === null ? null : await findElsewhere?.(signal)
    if (elsewhere != null) {
      const { address: location, maxAgeSeconds } = elsewhere
      const cacheControl = `private, max-age=${maxAgeSeconds}`
      return reply
        .code(302)
        .headers({ ...own, location, 'cache-control': cacheControl })
        .send()
    }
    // Opened before any header is set, so that an error is not sent with the file's caching headers.
    const stored = signal === null ? null : await open(file, range, signal)
    reply.code(selection.status).headers({
      ...validators,
      'content-type': contentType,
      'content-length': sizeBytes
    })
    if (range !== undefined) {
      reply.header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
    }
    if (signal === null || stored === null) return reply.send()
    // Noted before the first byte, so an interrupted download counts as well. The public address has no token
    // to note.
    const reader = request.principal as Principal | undefined
    if (reader !== undefined) log.note(reader.tokenId, file.id)

    // A client that stops reading would hold the file and the socket forever.
    reply.raw.setTimeout(idleTimeoutMs, () => reply.raw.destroy())
    const { socket } = request.raw
    const sentBefore = socket.bytesWritten
    // `bytesWritten` includes the response head, so the count is capped at the size of the file.
    reply.raw.once('close', () => onSent?.(Math.min(sizeBytes, socket.bytesWritten - sentBefore)))
    reply.hijack()
    reply.raw.writeHead(selection.status, reply.getHeaders() as OutgoingHttpHeaders)
    try {
      await sendBody(
        reply.raw,
        stored,
        createByteCheck(sizeBytes, sizeBytes === file.sizeBytes ? file.sha256 : undefined),
        signal
      )
    } catch (error) {
      // The connection is closed, so there is no client to answer.
      if (isAppError(error, 'BLOB_CORRUPT')) {
        request.log.fatal({ err: error, fileId: file.id }, 'stored file is damaged')
      }
    }
    return reply
  }
}

/** `GET|HEAD …/files/:id/download`, for the path of the specification and for the path of `download_url`. */
export async function downloadRoutes(
  app: FastifyInstance,
  options: DownloadRoutesOptions & { operation: Describe }
): Promise<void> {
  const send = createSender(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.route<{ Params: FileParams }>({
    method: ['GET', 'HEAD'],
    url: '/files/:id/download',
    config: { operation: options.operation },
    handler: async (request, reply) => {
      const file = await options.files.get(request.principal, request.params.id)
      return await send(file, request, reply, {
        disposition: 'attachment',
        contentType: contentTypeOf(file),
        'cache-control': 'private, no-cache'
      })
    }
  })
  refuseOtherMethods(app, '/files/:id/download', ['GET', 'HEAD'])
}

/** The CDN origin needs no token: the unguessable id, or the signature in the address, is the permission. */
export async function cdnRoutes(app: FastifyInstance, options: CdnRoutesOptions): Promise<void> {
  const send = createSender(options)
  app.route<{ Params: FileParams }>({
    method: ['GET', 'HEAD'],
    url: '/cdn/files/:id',
    config: { operation: readFromCdn },
    handler: async (request, reply) => {
      const { id } = request.params
      const secondsLeft = options.addresses.secondsLeft(id, request.query as Record<string, unknown>)
      if (secondsLeft <= 0) {
        throw new AppError('FILE_NOT_FOUND', 'the address carries no valid signature')
      }
      const file = await options.files.getPublic(id)
      const sentAs = {
        disposition: isInlineSafe(file.type) ? ('inline' as const) : ('attachment' as const),
        contentType: inertContentTypeOf(file)
      }
      return await send(
        file,
        request,
        reply,
        {
          ...sentAs,
          'cache-control': cacheControlOf(secondsLeft),
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin'
        },
        async (signal) =>
          needsOurValidators(request)
            ? null
            : ((await options.direct?.addressOf(file, { ...sentAs, secondsLeft, signal })) ?? null)
      )
    }
  })
  refuseOtherMethods(app, '/cdn/files/:id', ['GET', 'HEAD'])
}
