import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { InvalidFieldError, isAppError } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { acceptJson } from '../../http/json-body.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { dispositionOf } from '../downloads/disposition.js'
import { sendZip } from './send-zip.js'
import { downloadZip } from './zip.operations.js'
import { parseZipRequest } from './zip-request.js'
import type { OpenedFile, ZipService } from './zip.service.js'

export interface ZipRoutesOptions {
  zips: ZipService
  idleTimeoutMs: number
  onSent?: ((bytes: number) => void) | undefined
}

/** Enough for the maximum number of ids and folders. */
const BODY_LIMIT_BYTES = 1024 * 1024

const lastOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1)

/** Many files as one archive. Has its own scope, because the other file routes do not read JSON. */
export async function zipRoutes(
  app: FastifyInstance,
  { zips, idleTimeoutMs, onSent }: ZipRoutesOptions
): Promise<void> {
  acceptJson(app, { idleTimeoutMs, notUtf8: () => new InvalidFieldError('body', 'must be UTF-8') })

  const options = { bodyLimit: BODY_LIMIT_BYTES, config: { operation: downloadZip } }
  app.post('/files/zip', options, async (request, reply) => {
    const { principal } = request
    const selection = parseZipRequest(request.body)
    const entries = await zips.select(principal, selection)
    const signal = clientSignal(reply)
    const { base, projectId } = selection
    reply.headers({
      'content-type': 'application/zip',
      'content-disposition': dispositionOf(`${base === '' ? projectId : lastOf(base)}.zip`, 'attachment'),
      'cache-control': 'no-store'
    })
    // A client that stops reading would hold a file and the socket forever.
    reply.raw.setTimeout(idleTimeoutMs, () => reply.raw.destroy())
    const { socket } = request.raw
    const sentBefore = socket.bytesWritten
    reply.raw.once('close', () => onSent?.(socket.bytesWritten - sentBefore))
    reply.hijack()
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    try {
      // A slow client can keep an archive open for long, so the token is checked before each file.
      const open = async (id: string): Promise<OpenedFile | null> =>
        await zips.open(await request.renewPrincipal(), id, signal)
      await sendZip(reply.raw, entries, open, signal)
    } catch (error) {
      // The connection is closed, so there is no client to answer.
      if (isAppError(error, 'BLOB_CORRUPT')) request.log.fatal({ err: error }, 'stored file is damaged')
      else if (isAppError(error, 'UNAUTHORIZED')) request.log.info({ err: error }, 'archive broken off')
      else if (!signal.aborted) request.log.error({ err: error }, 'archive broken off')
    }
    return reply
  })
  refuseOtherMethods(app, '/files/zip', ['POST'])
}
