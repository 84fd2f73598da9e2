import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { refuseSilentBodies } from './silent-body.js'

export interface JsonBodyOptions {
  idleTimeoutMs: number
  /** The error for bytes that are not UTF-8: they would be decoded to text that the client did not send. */
  notUtf8: () => Error
}

/** The routes of this scope accept only JSON. */
export function acceptJson(app: FastifyInstance, { idleTimeoutMs, notUtf8 }: JsonBodyOptions): void {
  // The token has been accepted by now, so a client that sent `Expect: 100-continue` may send its body.
  app.addHook('preParsing', async (request, reply) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue()
  })
  refuseSilentBodies(app, idleTimeoutMs)

  // Fastify would parse it as text, which is not JSON.
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isUtf8(body)) void parseJson(request, body.toString(), done)
    else done(notUtf8())
  })
}
